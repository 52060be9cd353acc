"""`orchestrate status`: what sweeps there are and how far they are, also while one runs."""

from __future__ import annotations

import json
from collections import Counter

from db.database import Database, open_database
from db.rows import SweepRow, TrialResult
from db.states import JobState, SweepState
from orchestrator.cli.tables import console, table
from orchestrator.sweeping.session import is_alive


def run(storage: str, sweep: str | None, as_json: bool) -> None:
    """All sweeps, then the chosen one's trials, failures and running jobs."""
    with open_database(storage, read_only=True) as database:
        rows = database.sweeps.list()
        chosen = database.sweeps.find(sweep or "latest")
        if as_json:
            print(json.dumps(_as_json(database, rows, chosen), indent=2))
        else:
            _show(database, rows, chosen)


def state_of(row: SweepRow) -> str:
    """The sweep's state; a running one whose driver died is told apart."""
    if row.state is SweepState.RUNNING and not is_alive(row.driver):
        return "killed (run the same command to go on)"
    return str(row.state)


def _show(database: Database, rows: tuple[SweepRow, ...], chosen: SweepRow) -> None:
    out = console()
    listed = []
    for row in rows:
        counts = database.trials.counts(row.id)
        done = sum(count.complete + count.replayed for count in counts.values())
        failed = sum(count.failed for count in counts.values())
        left = sum(count.waiting for count in counts.values())
        started = row.started.astimezone().strftime("%Y-%m-%d %H:%M")
        listed.append(
            [row.key[:8], row.name, state_of(row), started, f"{done}", f"{failed}", f"{left}"]
        )
    heads = ["key", "sweep", "state", "started", ">done", ">failed", ">open"]
    out.print(table("Sweeps", heads, listed))
    jobs = [j for j in database.jobs.list(chosen.id) if j.state is JobState.RUNNING]
    for job in jobs:
        facets = ", ".join(sorted(job.memo))
        out.print(f"{job.rig} measures {facets} of {job.resolved.candidate.kv} since {job.started}")
    failures = [r for r in database.results(chosen.id) if r.failure is not None]
    if failures:
        out.print(table("Failures", [">trials", "kind", "evidence", "advice"], _grouped(failures)))


def _grouped(failures: list[TrialResult]) -> list[list[str]]:
    seen: Counter[tuple[str, str, str]] = Counter()
    for result in failures:
        assert result.failure is not None
        why = result.failure.diagnosis
        seen[(str(why.kind), why.evidence, why.advice)] += 1
    return [[f"{count}", *why] for why, count in seen.most_common()]


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

    failures = [r for r in database.results(chosen.id) if r.failure is not None]
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
        "failures": [
            {"trials": int(count), "kind": kind, "evidence": evidence, "advice": advice}
            for count, kind, evidence, advice in _grouped(failures)
        ],
    }
