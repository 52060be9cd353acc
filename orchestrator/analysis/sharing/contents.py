"""The files of a bundle, made from a sweep that has been redacted."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from db.codec import dumps, to_json
from db.whole import WholeJob, WholeSweep
from orchestrator.analysis.sharing.format import (
    FORMAT,
    KIND,
    MANIFEST,
    MOST_IN_A_FILE,
    MOST_IN_ALL,
    SWEEP,
    BundleError,
    FileFacts,
    Manifest,
)
from orchestrator.analysis.sharing.repeating import model_sums, readme, script
from orchestrator.version import VERSION
from workers.contract.outcome import FacetResult


def contents(whole: WholeSweep, more: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file by name, with the manifest; `more` are logs, pages and reports.

    Raises BundleError where that is more than anybody would read.
    """
    files = {
        SWEEP: dumps(to_json(whole)).encode(),
        "space.yaml": space_yaml(whole).encode(),
        "environment.json": _pretty(_environment(whole)),
        "samples.csv": _samples(whole).encode(),
        "repeat.sh": script(whole).encode(),
        "README.md": readme(whole).encode(),
        **more,
    }
    if sums := model_sums(whole):
        files["models.sha256"] = sums.encode()
    sizes = [len(data) for data in files.values()]
    if max(sizes) > MOST_IN_A_FILE or sum(sizes) > MOST_IN_ALL:
        raise BundleError(f"the sweep {whole.name} is too large for a bundle.")
    manifest = Manifest(
        KIND,
        FORMAT,
        VERSION,
        {
            name: FileFacts(len(data), hashlib.sha256(data).hexdigest())
            for name, data in sorted(files.items())
        },
    )
    return {MANIFEST: _pretty(to_json(manifest)), **files}


def space_yaml(whole: WholeSweep) -> str:
    """The space as a file that `orchestrate sweep --space` takes."""
    from ruamel.yaml import YAML

    measure = {name: whole.space["measure"][name] for name in whole.named_facets}
    text = io.StringIO()
    YAML().dump(_said({**whole.space, "measure": measure}), text)
    return text.getvalue()


def _said(data: Any) -> Any:
    """Without what is not set: null says nothing in a space."""
    if isinstance(data, dict):
        return {name: _said(value) for name, value in data.items() if value is not None}
    return data


def _environment(whole: WholeSweep) -> dict[str, Any]:
    """What it ran on and with, for people; `sweep.json` holds all that is known."""
    return {
        "orchestrate": whole.fingerprint.get("orchestrate", ""),
        "python": whole.fingerprint.get("python", ""),
        "hosts": [
            {
                "host": host.host,
                "rigs": to_json(list(host.rigs)),
                "engines": [
                    {"name": e.name, "kind": e.kind, "builds": to_json(list(e.builds))}
                    for e in host.engines
                ],
                "models": [
                    {"reference": m.reference, "size": m.size, "sha256": m.sha256}
                    for m in host.models
                ],
                "contents": host.contents,
                "warnings": list(host.warnings),
            }
            for host in whole.hosts
        ],
    }


def _samples(whole: WholeSweep) -> str:
    """Every raw observation as a row, for spreadsheets; the values by name at its end."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    rows = [(job, result, s) for job, result in _results(whole) for s in result.samples]
    names = sorted({name for _, _, sample in rows for name in sample.values})
    table.writerow(["rig", "job", "facet", "label", "group", "launch", "repeat", *names])
    for job, result, sample in rows:
        values = [sample.values.get(name, "") for name in names]
        where = [job.rig.name, job.id, result.facet.value, sample.label, sample.group]
        table.writerow([*map(_inert, where), sample.launch, sample.repeat, *values])
    return text.getvalue()


def _inert(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _results(whole: WholeSweep) -> Iterator[tuple[WholeJob, FacetResult]]:
    for job in whole.jobs:
        outcome = job.completed or job.failed
        for result in outcome.results if outcome else ():
            yield job, result


def _pretty(data: Any) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
