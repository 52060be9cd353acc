"""Writing somebody else's sweep, so that nothing of it is ever taken for one's own.

Job ids and memo keys get a prefix: a measurement made elsewhere never answers for one that is
wanted here. Names get another, processes and log paths are forgotten: nothing of an import is
looked up, resumed or ended on this machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from db.codec import to_json
from db.repositories.hosts import rig_id
from db.repositories.outcomes import write_outcome
from db.states import JobState, SweepState
from db.tables.hosts import SweepHostTable
from db.tables.jobs import JobFacetTable, JobTable
from db.tables.sweeps import SweepTable, TrialFacetTable, TrialTable
from db.whole import WholeJob, WholeSweep, WholeTrial
from search_spaces.candidate import digest
from workers.contract.outcome import FacetResult, JobTrace
from workers.contract.reports import RigReport

IMPORTED = "imported"  # the flag of every trial, and what names begin with
_TITLE = "Imported: "
_AXES = ("engine", "model", "drafter", "kv_k", "kv_v", "ctx", "spec", "n_max")


def imported_key(origin: str) -> str:
    """The key of the sweep that a file becomes, by the file's hash."""
    return digest([IMPORTED, origin])


def write_whole(session: Session, whole: WholeSweep, origin: str, now: datetime) -> int:
    """Adds a sweep under a key made of `origin`, the hash of the file it came in; its id."""
    title = f"{_TITLE}{whole.space.get('title') or whole.name}".replace(_TITLE * 2, _TITLE)
    sweep = SweepTable(
        key=imported_key(origin),
        name=f"{IMPORTED}:{whole.name}",
        title=title,
        space=whole.space | {"title": title},
        named_facets=whole.named_facets,
        fingerprint=whole.fingerprint,
        state=SweepState.FINISHED,
        runs=1,
        started=whole.started,
        ended=whole.ended,
        driver_host="",
        driver_pid=0,
        driver_started=0.0,
        imported=origin,
    )
    session.add(sweep)
    session.flush()
    for report in whole.hosts:
        row = SweepHostTable(
            sweep_id=sweep.id, host=report.host, report=to_json(report), recorded=now
        )
        session.add(row)
    mark = f"{origin[:12]}:"
    rigs: dict[RigReport, int] = {}
    for job in whole.jobs:
        if job.rig not in rigs:
            rigs[job.rig] = rig_id(session, job.rig, now)
        _add_job(session, sweep.id, rigs[job.rig], job, mark)
    ids: dict[int, int] = {}
    ordered = sorted(whole.trials, key=lambda trial: trial.id)
    for again in (False, True):  # what was replayed refers to its original, which goes first
        some = [trial for trial in ordered if (trial.same_as is not None) is again]
        _add_trials(session, sweep.id, some, mark, ids)
    return sweep.id


def _add_job(session: Session, sweep_id: int, rig: int, job: WholeJob, mark: str) -> None:
    row = JobTable(
        id=mark + job.id,
        sweep_id=sweep_id,
        rig_id=rig,
        state=JobState.RUNNING,
        attempt=job.attempt,
        seed=job.seed,
        simulated=job.simulated,
        resolved_key=job.resolved.key,
        resolved=to_json(job.resolved),
        recipe=job.recipe,
        stop=job.stop,
        started=job.started,
        log_path="",
        argv=[],
        effective={},
        telemetry={},
        log_tail="",
    )
    session.add(row)
    session.flush()
    for facet, key in job.memo.items():
        link = JobFacetTable(
            job_id=row.id, memo_key=mark + key, facet=facet, estimates=[], flags=[]
        )
        session.add(link)
    session.flush()
    outcome = job.completed or job.failed
    assert outcome is not None, "checked by whoever read it"
    results = tuple(_result(result, mark) for result in outcome.results)
    write_outcome(
        session,
        row,
        replace(outcome, job_id=row.id, results=results, trace=_trace(outcome.trace)),
        job.ended,
    )


def _result(result: FacetResult, mark: str) -> FacetResult:
    build = replace(result.build, path="")
    return replace(result, memo_key=mark + result.memo_key, build=build)


def _trace(trace: JobTrace) -> JobTrace:
    launches = tuple(
        replace(launch, pid=0, pid_started=0.0, log_path="") for launch in trace.launches
    )
    return replace(trace, launches=launches)


def _add_trials(
    session: Session, sweep_id: int, trials: Sequence[WholeTrial], mark: str, ids: dict[int, int]
) -> None:
    """Adds trials all at once, and their new ids to `ids`."""
    rows = [_trial(sweep_id, trial, mark, ids) for trial in trials]
    session.add_all(rows)
    session.flush()
    ids.update((trial.id, row.id) for trial, row in zip(trials, rows, strict=True))
    session.add_all(
        TrialFacetTable(trial_id=row.id, facet=facet, memo_key=mark + key)
        for trial, row in zip(trials, rows, strict=True)
        for facet, key in trial.memo.items()
    )


def _trial(sweep_id: int, trial: WholeTrial, mark: str, ids: dict[int, int]) -> TrialTable:
    return TrialTable(
        sweep_id=sweep_id,
        rig=trial.rig,
        number=trial.number,
        role=trial.role,
        state=trial.state,
        asked_key=trial.candidate.asked_key,
        resolved_key=trial.resolved_key,
        effective_key=trial.effective_key,
        candidate=trial.candidate.as_dict(),
        same_as=None if trial.same_as is None else ids[trial.same_as],
        failed_by=None if trial.failed_by is None else mark + trial.failed_by,
        told=True,
        flags=list(dict.fromkeys([IMPORTED, *trial.flags])),
        created=trial.created,
        ended=trial.ended,
        **{name: getattr(trial.candidate, name) for name in _AXES},
    )
