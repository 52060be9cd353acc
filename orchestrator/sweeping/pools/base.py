"""Where jobs run: one shape, in-process or on Ray."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest


@dataclass(frozen=True, slots=True)
class Finished:
    """A job that ended, and the rig that is free again."""

    rig: str
    outcome: Outcome


class Pool(Protocol):
    """Rigs that run one job at a time each. `start` before `submit`; `stop` kills engines."""

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """One report per host."""
        ...

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """One worker per rig. Raises OrchestrateError when a rig is taken, here or elsewhere."""
        ...

    def submit(self, rig: str, job: Job) -> None:
        """Starts a job on an idle rig."""
        ...

    def wait(self, timeout_s: float) -> list[Finished]:
        """Jobs that ended, at the latest after `timeout_s`; a lost worker ends as Failed."""
        ...

    def stop(self) -> None:
        """Ends every worker and its engine. Safe to call twice."""
        ...


def sharing(rigs: Mapping[str, RigReport]) -> frozenset[str]:
    """The rigs that share a card, or a machine's cores, with another one.

    The driver lets only one of them work at a time; see `leases`.
    """
    places = Counter(place for rig in rigs.values() for place in occupied(rig))
    return frozenset(
        name for name, rig in rigs.items() if any(places[place] > 1 for place in occupied(rig))
    )


def occupied(rig: RigReport) -> list[str]:
    """What a rig occupies: its cards, or its machine's cores."""
    return [f"gpu:{card.uuid}" for card in rig.cards] or [f"cores:{rig.cores_of}"]


def lost(job: Job, why: str) -> Failed:
    """The outcome of a job whose worker died or broke."""
    advice = "The job is tried once more on a fresh worker; see the log if it happens again."
    diagnosis = Diagnosis(FailureKind.WORKER_LOST, why, advice, deterministic=False)
    return Failed(job.id, diagnosis, Phase.MEASURE)


def host_lost(job: Job, host: str) -> Failed:
    """The outcome of a job whose host is not in the cluster any more."""
    advice = "Start Ray on it again, then run the same command: it is measured then."
    why = f"its host {host} has left the cluster"
    diagnosis = Diagnosis(FailureKind.HOST_LOST, why, advice, deterministic=False)
    return Failed(job.id, diagnosis, Phase.MEASURE)
