"""What an imported sweep must be, so that every command can show it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from db.states import TrialState
from db.whole import WholeJob, WholeSweep
from orchestrator.analysis.sharing.contents import space_yaml
from search_spaces.candidate import Candidate
from search_spaces.errors import SpaceError
from search_spaces.load import loads
from search_spaces.space import Space
from search_spaces.walk import baseline_of

_GONE = "\N{REPLACEMENT CHARACTER}"


def harmless(data: Any) -> Any:
    """JSON whose texts hold no control characters but line ends: none can steer a terminal."""
    if isinstance(data, str):
        return "".join(c if c.isprintable() or c in "\n\t" else _GONE for c in data)
    if isinstance(data, dict):
        return {harmless(name): harmless(value) for name, value in data.items()}
    if isinstance(data, list):
        return [harmless(value) for value in data]
    return data


def faults(whole: WholeSweep) -> Iterator[str]:
    """Each contradiction, as the end of a sentence; the first one is enough to refuse."""
    jobs = {job.id for job in whole.jobs}
    trials = {trial.id: trial for trial in whole.trials}
    if len(jobs) < len(whole.jobs) or len(trials) < len(whole.trials):
        yield "a job or a trial is in it twice"
    if len({host.host for host in whole.hosts}) < len(whole.hosts):
        yield "a host is in it twice"
    numbers = [(trial.rig, trial.number) for trial in whole.trials if trial.number is not None]
    if len(set(numbers)) < len(numbers):
        yield "two trials of a rig have one number"
    for job in whole.jobs:
        yield from _job(job)
    for trial in whole.trials:
        origin = trials.get(trial.same_as) if trial.same_as is not None else None
        if trial.same_as is not None and (origin is None or origin.same_as is not None):
            yield f"the trial {trial.id} is the same as one that is not in it"
        if trial.failed_by is not None and trial.failed_by not in jobs:
            yield f"the trial {trial.id} failed by a job that is not in it"
        if trial.state is TrialState.WAITING:
            yield f"the trial {trial.id} has not ended"
    yield from _space(whole)


def _job(job: WholeJob) -> Iterator[str]:
    outcome = job.completed or job.failed
    if (job.completed is None) == (job.failed is None) or outcome is None:
        yield f"the job {job.id!r} has no outcome, or two"
    elif any(result.memo_key not in job.memo.values() for result in outcome.results):
        yield f"the job {job.id!r} measured what it was not asked for"


def _space(whole: WholeSweep) -> Iterator[str]:
    try:
        space = loads(space_yaml(whole), "its space")
    except SpaceError as error:
        yield f"{error}".rstrip(".")
        return
    for candidate in dict.fromkeys(trial.candidate for trial in whole.trials):
        if not _comparable(space, candidate):
            yield f"the candidate {candidate.asked_key} is none of its space"


def _comparable(space: Space, candidate: Candidate) -> bool:
    try:
        baseline_of(space, candidate)
        shlex.split(candidate.flags or "")
    except (TypeError, ValueError, KeyError, SpaceError):
        return False
    return True
