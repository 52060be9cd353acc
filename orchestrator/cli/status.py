"""`orchestrate status`: what sweeps there are and how far they are, also while one runs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from db.database import Database, open_database
from db.repositories.whole_writing import IMPORTED
from db.rows import JobRow, SweepRow
from db.states import JobState, SweepState
from orchestrator.analysis.collect import collect
from orchestrator.analysis.drift import RigDrift, drifts, sentence
from orchestrator.analysis.words import Namer
from orchestrator.cli.as_json import drift_as_json
from orchestrator.cli.found import found
from orchestrator.cli.planning import counted
from orchestrator.cli.tables import console, show, table
from orchestrator.sweeping.session import is_alive

if TYPE_CHECKING:
    from rich.console import Console

KILLED = "killed"  # said of a sweep that is marked running and whose driver is gone


def run(storage: str, sweep: str | None, as_json: bool) -> None:
    """All sweeps, then the chosen one's running jobs and failures."""
    with open_database(storage, read_only=True) as database:
        chosen = found(database, sweep)
        rows = database.sweeps.list()
        if as_json:
            print(json.dumps(_as_json(database, rows, chosen), indent=2, ensure_ascii=False))
        else:
            _show(console(), database, rows, chosen)


def state_of(row: SweepRow) -> str:
    """The sweep's state; a running one whose driver died and an imported one are told apart."""
    if row.imported is not None:
        return IMPORTED
    if row.state is SweepState.RUNNING and not is_alive(row.driver):
        return KILLED
    return str(row.state)


def _show(out: Console, database: Database, rows: tuple[SweepRow, ...], chosen: SweepRow) -> None:
    listed = []
    for row in rows:
        counts = database.trials.counts(row.id).values()
        done = sum(count.complete + count.replayed for count in counts)
        failed = sum(count.failed for count in counts)
        left = sum(count.waiting for count in counts)
        started = row.started.astimezone().strftime("%Y-%m-%d %H:%M")
        listed.append(
            [row.key[:8], row.name, state_of(row), started, f"{done}", f"{failed}", f"{left}"]
        )
    heads = ["key", "sweep", "state", "started", ">done", ">failed", ">open"]
    show(out, table("", heads, listed))
    state = state_of(chosen)
    if state in (KILLED, SweepState.INTERRUPTED):
        out.print(
            f"\n{chosen.name} was {state}; what it measured is kept. The command that started it "
            "goes on with it.",
            soft_wrap=True,
        )
    for left_out in database.quarantines.of(chosen.id):
        since = left_out.began.astimezone().strftime("%H:%M")
        out.print(f"\nSince {since}: {left_out.reason}", soft_wrap=True)
    if state == SweepState.RUNNING:
        _show_jobs(out, database, chosen)
    for drift in _drift(database, chosen):
        out.print(f"\n{sentence(drift)}", soft_wrap=True)
    for failure in _failures(database, chosen):
        trials, kind = counted(failure.trials, "trial"), failure.kind.replace("_", " ")
        out.print(f"\n{trials} failed: {kind}", style="bold")
        log = f"Log: {failure.log}" if failure.log else ""
        for line in filter(None, (failure.evidence, failure.advice, log)):
            out.print(f"  {line}", soft_wrap=True)


def _drift(database: Database, chosen: SweepRow) -> tuple[RigDrift, ...]:
    """Reads the raw samples only where a baseline was measured again."""
    return drifts(collect(database, chosen)) if database.trials.anchors(chosen.id) else ()


def _show_jobs(out: Console, database: Database, chosen: SweepRow) -> None:
    namer = Namer.of(trial.candidate for trial in database.trials.list(chosen.id))
    for job in _running(database, chosen):
        facets = ", ".join(sorted(job.memo))
        since = job.started.astimezone().strftime("%H:%M")
        name = namer.name(job.resolved.candidate)
        out.print(f"\n{job.rig}: {facets} of {name}, since {since}.", soft_wrap=True)


def _running(database: Database, chosen: SweepRow) -> list[JobRow]:
    return [job for job in database.jobs.list(chosen.id) if job.state is JobState.RUNNING]


@dataclass(frozen=True, slots=True)
class Failure:
    """Trials that failed for one reason, and the log of the first of them."""

    trials: int
    kind: str
    evidence: str
    advice: str
    log: str


def _failures(database: Database, chosen: SweepRow) -> list[Failure]:
    """The reasons, most frequent first."""
    seen: dict[tuple[str, str, str], list[str]] = {}
    for result in database.results(chosen.id):
        if result.failure is not None:
            why = result.failure.diagnosis
            logs = seen.setdefault((str(why.kind), why.evidence, why.advice), [])
            logs.append(result.log_path)
    ordered = sorted(seen.items(), key=lambda item: -len(item[1]))
    return [Failure(len(logs), *why, logs[0]) for why, logs in ordered]


def _as_json(database: Database, rows: tuple[SweepRow, ...], chosen: SweepRow) -> dict[str, object]:
    def counted(row: SweepRow) -> dict[str, dict[str, int]]:
        return {
            rig: {
                "complete": count.complete,
                "replayed": count.replayed,
                "failed": count.failed,
                "open": count.waiting,
            }
            for rig, count in database.trials.counts(row.id).items()
        }

    running = _running(database, chosen) if state_of(chosen) == SweepState.RUNNING else []
    return {
        "sweeps": [
            {
                "key": row.key,
                "name": row.name,
                "state": state_of(row),
                "started": row.started.isoformat(),
                "ended": row.ended.isoformat() if row.ended else None,
                "trials": counted(row),
            }
            for row in rows
        ],
        "sweep": chosen.key,
        "running": [
            {
                "rig": job.rig,
                "facets": sorted(job.memo),
                "candidate": job.resolved.candidate.as_dict(),
                "since": job.started.isoformat(),
            }
            for job in running
        ],
        "left_out": [
            {"rig": row.rig, "reason": row.reason, "since": row.began.isoformat()}
            for row in database.quarantines.of(chosen.id)
        ],
        "drift": drift_as_json(_drift(database, chosen)),
        "failures": [asdict(failure) for failure in _failures(database, chosen)],
    }
