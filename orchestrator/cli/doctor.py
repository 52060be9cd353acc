"""`orchestrate doctor`: what is wrong with this machine, or with a live server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.cli.tables import console
from workers.contract.errors import OrchestrateError
from workers.doctor.finding import Finding, Severity, Unchecked, worst

if TYPE_CHECKING:
    from rich.console import Console

    from workers.doctor.server.base import Rule, Server

EXIT_CODES = {Severity.OK: 0, Severity.INFO: 0, Severity.WARNING: 6, Severity.ERROR: 7}
_STYLES = {Severity.WARNING: "yellow", Severity.ERROR: "red", Severity.OK: "green"}


def machine(engines: Sequence[str], storage: str | None, as_json: bool) -> int:
    """Looks at this machine; the exit code by the worst finding."""
    from orchestrator.cli.database_check import DatabaseCheck
    from workers.doctor.host.base import Host
    from workers.doctor.host.run import all_checks, examine
    from workers.gpu.nvml import inventory

    out = console()
    findings = []
    host = Host(inventory(), tuple(engines))
    for finding in examine(host, (*all_checks(), DatabaseCheck(storage))):
        findings.append(finding)
        if not as_json:
            _show(out, finding)
    if as_json:
        print(_json({"findings": list(map(asdict, findings))}))
    return EXIT_CODES[worst(tuple(findings))]


def server(
    url: str, window: str, storage: str | None, sweep: str | None, key: str | None, as_json: bool
) -> int:
    """Watches a server; the exit code by the worst finding. Raises ServerError, QuantityError."""
    from orchestrator.analysis.quantities import seconds
    from workers.doctor.server.address import read_address
    from workers.doctor.server.report import look_at

    address, length = read_address(url), seconds(window)
    if not 1 <= length <= 3600:
        raise OrchestrateError(f"A window of {window} is too short or too long.", "Try 10s.")
    rules = _comparing(storage, sweep) if storage is not None else ()
    with _told(length) as tick:
        report = look_at(address, length, key, rules, tick)
    scene = report.scene
    if as_json:
        print(
            _json(
                {
                    "server": asdict(scene.server),
                    "seconds": scene.window.seconds,
                    "findings": list(map(asdict, report.findings)),
                    "unchecked": list(map(asdict, report.unchecked)),
                    "notes": list(report.notes),
                }
            )
        )
    else:
        out = console()
        out.print(_who(scene.server), soft_wrap=True)
        for finding in report.findings:
            _show(out, finding)
        _close(out, report.findings, report.unchecked, report.notes)
    return EXIT_CODES[worst(report.findings)]


def _comparing(storage: str, sweep: str | None) -> tuple[Rule, ...]:
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.live.match import Sweep
    from orchestrator.analysis.live.registry import rules_of
    from orchestrator.cli.found import found

    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        return rules_of(Sweep.of(collect(database, row), database.hosts.of(row.id)))


@contextmanager
def _told(length: float) -> Iterator[Callable[[float], None]]:
    """Says on a terminal how long it still watches."""
    spoken_to = console(stderr=True)
    if not spoken_to.is_terminal:
        yield lambda _: None
        return
    with spoken_to.status(f"Watching for {length:.0f} s") as status:
        yield lambda left: status.update(f"Watching, {max(left, 0):.0f} s left")


def _who(server: Server) -> str:
    parts = [str(server.kind), server.build, Path(server.model).name]
    if server.ctx:
        parts.append(f"ctx {server.ctx:,}" + (f" × {server.slots} slots" if server.slots else ""))
    return f"{server.url}: {', '.join(filter(None, parts))}"


def _show(out: Console, finding: Finding) -> None:
    sure = "" if finding.severity is Severity.OK else f" [{finding.confidence} confidence]"
    style = _STYLES.get(finding.severity)
    out.print(f"{finding.severity:7}", style=style, end="")
    out.print(f" {finding.rule}: {finding.evidence}{sure}", soft_wrap=True)
    if finding.recommendation:
        out.print(f"        {finding.recommendation}", soft_wrap=True)


def _close(
    out: Console,
    findings: Sequence[Finding],
    unchecked: Sequence[Unchecked],
    notes: Sequence[str],
) -> None:
    if not any(finding.severity.rank > Severity.OK.rank for finding in findings):
        out.print("Nothing is wrong by what was looked at.")
    for note in notes:
        out.print(note, soft_wrap=True)
    for one in unchecked:
        out.print(f"Not judged: {one.rule}: {one.reason}.", soft_wrap=True)


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)
