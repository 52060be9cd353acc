"""`orchestrate engines`: what each build can do, and how it spells its flags."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.cli.tables import console, show, table
from search_spaces.space import EngineRef
from workers.contract.errors import OrchestrateError
from workers.contract.reports import Capabilities, EngineReport
from workers.engines.registry import make_engine

if TYPE_CHECKING:
    from rich.console import Console


class NoUsableEngineError(OrchestrateError):
    """No engine that was named can be used here."""


def run(paths: list[str], as_json: bool) -> None:
    """Probes each path, or the embedded engine. Raises NoUsableEngineError when all fail."""
    named = [(Path(path).name or path, EngineRef(path=path)) for path in paths]
    named = named or [("embedded", EngineRef(kind="embedded"))]
    reports = [make_engine(name, ref).probe() for name, ref in named]
    if as_json:
        print(json.dumps([asdict(report) for report in reports], indent=2, ensure_ascii=False))
    else:
        _show(console(), reports)
    problems = [report.problem for report in reports if report.problem]
    if len(problems) == len(reports):
        raise NoUsableEngineError(" ".join(problems))


def _show(out: Console, reports: list[EngineReport]) -> None:
    if all(report.problem for report in reports):
        return  # told on standard error
    for position, report in enumerate(reports):
        rows = [
            [f"{build.role} build", f"{build.label}  {build.sha256[:16]}"]
            for build in report.builds
        ]
        if report.problem:
            rows.append(["problem", report.problem])
        if report.capabilities is not None:
            rows += _abilities(report.capabilities)
        rows += [["warning", warning] for warning in report.warnings]
        if position:
            out.print()
        show(out, table(f"Engine {report.name}", ["", ""], rows))


def _abilities(known: Capabilities) -> list[list[str]]:
    pairs = ", ".join(known.fa_pairs) if known.fa_pairs else "not told"
    rows = [
        ["dialect", known.dialect],
        ["speculation", ", ".join(known.spec_types) or "none"],
        ["several kinds at once", "yes" if known.combines_specs else "no"],
        ["KV types", ", ".join(known.kv_types)],
        ["KV types of the drafter", ", ".join(known.draft_kv_types) or "none"],
        ["devices", ", ".join(known.devices) or "CPU only"],
        ["flash attention pairs", pairs],
        ["draft length per request", "yes" if known.per_request_n_max else "no"],
        ["adaptive draft controller", "yes" if known.controller else "no"],
        ["metrics", "yes" if known.metrics else "no"],
        ["flags", ", ".join(f"{name} {flag}" for name, flag in sorted(known.flags.items()))],
        *(["note", note] for note in known.notes),
    ]
    return [row for row in rows if row[1]]
