"""CSV: one row for each candidate and rig, whatever became of it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping

from orchestrator.analysis.report.candidates import Row
from orchestrator.analysis.report.make import Report
from search_spaces.candidate import CANDIDATE_FIELDS, Value
from search_spaces.metrics import METRICS
from workers.contract.outcome import Estimate

_ABOUT = (
    "key",
    "rig",
    "name",
    "model_name",
    "state",
    "place",
    "picks",
    "baseline",
    "verified",
    "simulated",
)
_BOUNDS = ("", "_low", "_high")


class CsvRows:
    """Settings, then each metric with METRIC_low and METRIC_high, then METRIC@CLASS likewise.

    The columns are the same for every sweep, but for those of its prompt classes, which are last.
    """

    name = "csv"
    meaning = "one row for each candidate"

    def render(self, report: Report) -> str:
        """The table with its heading."""
        classes = list(dict.fromkeys(name for row in report.candidates for name in row.classes))
        metrics = [
            *METRICS,
            *(f"{metric}@{name}" for name in classes for metric in ("tok_s", "speedup")),
        ]
        columns = [
            *_ABOUT,
            "engine_build",
            *CANDIDATE_FIELDS,
            *(metric + bound for metric in metrics for bound in _BOUNDS),
            "measurement_flags",
            "failure",
            "evidence",
        ]
        out = io.StringIO()
        writer = csv.DictWriter(
            out, columns, lineterminator="\n", restval="", extrasaction="ignore"
        )
        writer.writeheader()
        writer.writerows(_cells(row) for row in report.candidates)
        return out.getvalue()


def _cells(row: Row) -> Mapping[str, Value]:
    about: dict[str, Value] = {
        "key": row.key,
        "rig": row.rig,
        "name": row.name,
        "model_name": row.model_name,
        "state": row.state,
        "place": row.place,
        "picks": " ".join(row.picks),
        "baseline": _flag(row.baseline),
        "verified": _flag(row.verified),
        "simulated": _flag(row.simulated),
        "engine_build": row.engine_build,
        "measurement_flags": " ".join(row.flags),
        "failure": row.failure.kind.value if row.failure else "",
        "evidence": row.failure.evidence if row.failure else "",
    }
    cells = {**row.settings, **about, **dict(_numbers(row.estimates, ""))}
    for name, own in row.classes.items():
        cells |= _numbers(own, f"@{name}")
    return cells


def _flag(known: bool) -> str:
    return "true" if known else "false"


def _numbers(estimates: Mapping[str, Estimate], suffix: str) -> Iterator[tuple[str, Value]]:
    for metric, found in estimates.items():
        parts = zip(_BOUNDS, (found.value, found.low, found.high), strict=True)
        for bound, value in parts:
            if value is not None and math.isfinite(value):
                yield f"{metric}{suffix}{bound}", value


FORMAT = CsvRows()
