"""`orchestrate engines`: what each build can do, and how it spells its flags."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from workers.engines.registry import make_engine

from orchestrator.cli.tables import console, table
from search_spaces.space import EngineRef
from workers.contract.reports import EngineReport


def run(paths: list[str], as_json: bool) -> None:
    """Probes each path, or the embedded engine. Exit code 2 when none can be used."""
    refs = {Path(path).name or path: EngineRef(path=path) for path in paths}
    if not paths:
        refs = {"embedded": EngineRef(kind="embedded")}
    reports = [make_engine(name, ref).probe() for name, ref in refs.items()]
    if as_json:
        print(json.dumps([asdict(report) for report in reports], indent=2))
    else:
        _show(reports)
    if all(report.problem for report in reports):
        raise SystemExit(2)


def _show(reports: list[EngineReport]) -> None:
    out = console()
    for report in reports:
        rows = [
            [f"{build.role} build", f"{build.label}  {build.sha256[:16]}"]
            for build in report.builds
        ]
        if report.problem:
            rows.append(["problem", report.problem])
        known = report.capabilities
        if known is not None:
            pairs = ", ".join(known.fa_pairs) if known.fa_pairs else "not told"
            rows += [
                ["dialect", known.dialect],
                ["speculation", ", ".join(known.spec_types)],
                ["KV types", ", ".join(known.kv_types)],
                ["KV types of the drafter", ", ".join(known.draft_kv_types)],
                ["devices", ", ".join(known.devices) or "CPU only"],
                ["flash attention pairs", pairs],
                ["draft length per request", "yes" if known.per_request_n_max else "no"],
                ["adaptive draft controller", "yes" if known.controller else "no"],
                ["metrics", "yes" if known.metrics else "no"],
            ]
            rows += [["note", note] for note in known.notes]
        rows += [["warning", warning] for warning in report.warnings]
        out.print(table(f"Engine {report.name}", ["", ""], rows))
