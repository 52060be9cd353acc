"""JSON with stable keys, for programs. docs/report.md says what each key means."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from orchestrator.analysis.report.candidates import Row
from orchestrator.analysis.report.document import Cell, Command, Number, Section, Table, Text
from orchestrator.analysis.report.make import Report
from orchestrator.analysis.report.numbers import of_estimate
from workers.contract.outcome import Estimate

SCHEMA = 1


class JsonObject:
    """Sections with their tables as lists of objects, and every candidate."""

    name = "json"
    meaning = "everything, for programs"

    def render(self, report: Report) -> str:
        """One indented object. There are no NaN in JSON: such numbers are null."""
        found = {
            "schema": SCHEMA,
            "orchestrate": report.version,
            "sweep": report.sweep,
            "name": report.name,
            "title": report.title,
            "simulated": report.simulated,
            "opening": list(report.opening),
            "sections": {section.name: _section(section) for section in report.sections},
            "omitted": {one.name: one.why for one in report.omitted},
            "candidates": [_candidate(row) for row in report.candidates],
        }
        return json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False)


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "tables": {b.name: _table(b) for b in section.blocks if isinstance(b, Table)},
        "texts": [block.text for block in section.blocks if isinstance(block, Text)],
        "commands": [asdict(block) for block in section.blocks if isinstance(block, Command)],
    }


def _table(table: Table) -> list[dict[str, Any]]:
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, map(_cell, row), strict=True)) for row in table.rows]


def _cell(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return cell
    bounds = {"value": cell.value, "low": cell.low, "high": cell.high}
    finite = {k: v if v is not None and math.isfinite(v) else None for k, v in bounds.items()}
    return {**finite, "n": cell.n} | ({"why": cell.why} if cell.why else {})


def _candidate(row: Row) -> dict[str, Any]:
    return {
        "key": row.key,
        "rig": row.rig,
        "name": row.name,
        "model_name": row.model_name,
        "state": row.state,
        "place": row.place,
        "picks": list(row.picks),
        "baseline": row.baseline,
        "verified": row.verified,
        "simulated": row.simulated,
        "engine_build": row.engine_build,
        "candidate": dict(row.settings),
        "flags": list(row.flags),
        "failure": asdict(row.failure) if row.failure else None,
        "argv": list(row.argv),
        "launches": row.launches,
        "metrics": _metrics(row, row.estimates),
        "classes": {label: _metrics(row, own) for label, own in row.classes.items()},
    }


def _metrics(row: Row, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    return {
        name: _cell(of_estimate(e, row.simulated, row.launches)) for name, e in estimates.items()
    }


FORMAT = JsonObject()
