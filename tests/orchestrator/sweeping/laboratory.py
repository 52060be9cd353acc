"""Runs a sweep as the command line would, and reads what it left behind."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import optuna

from db.database import Database, open_database
from db.rows import JobRow, SweepRow, TrialRow
from orchestrator.sweeping.events import Silent, Tally, TrialEnded
from orchestrator.sweeping.plan import Plan, make_plan
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.session import Session, sweep_key
from orchestrator.sweeping.storage import opened
from search_spaces.space import Space
from tests.support.hosts import make_host
from workers.contract.job import Job
from workers.contract.reports import HostReport, RigReport


@dataclass
class Heard(Silent):
    """Keeps what a sweep said."""

    ended: list[TrialEnded] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    resumed: int = 0

    def planned(self, plan: Plan, resumed: int) -> None:
        """Keeps how many trials were there already."""
        self.resumed = resumed

    def job_started(self, rig: str, job: Job) -> None:
        """Keeps the job."""
        self.jobs.append(job)

    def trial_ended(self, ended: TrialEnded, tally: Tally) -> None:
        """Keeps the trial."""
        self.ended.append(ended)
        self.tallies.append(tally)

    def note(self, text: str) -> None:
        """Keeps the sentence."""
        self.notes.append(text)


class StopAfter(Heard):
    """Asks the sweep to stop when it hears of its nth trial or job."""

    def __init__(self, stopping: threading.Event, *, trials: int = 0, jobs: int = 0) -> None:
        super().__init__()
        self._stopping = stopping
        self._trials, self._jobs = trials, jobs

    def trial_ended(self, ended: TrialEnded, tally: Tally) -> None:
        """Counts."""
        super().trial_ended(ended, tally)
        if len(self.ended) == self._trials:
            self._stopping.set()

    def job_started(self, rig: str, job: Job) -> None:
        """Counts."""
        super().job_started(rig, job)
        if len(self.jobs) == self._jobs:
            self._stopping.set()


@dataclass(frozen=True)
class Bench:
    """A space, a host and a database file: what stays the same from one run to the next."""

    path: Path
    space: Space
    host: HostReport

    @classmethod
    def make(cls, path: Path, space: Space, rigs: Sequence[RigReport] = ()) -> Bench:
        """On a host where everything is found."""
        return cls(path, space, make_host(space, rigs))

    @property
    def plan(self) -> Plan:
        """The plan on every rig of the host."""
        return make_plan(self.space, self.host, self.host.rigs)

    def run(
        self, pool: Pool, heard: Heard | None = None, stopping: threading.Event | None = None
    ) -> Heard:
        """One run of the command, with nothing left in memory from an earlier one."""
        heard = heard or Heard()
        with open_database(str(self.path)) as database:
            Session(
                self.plan,
                database,
                pool,
                heard,
                self.path.parent / "logs",
                stopping or threading.Event(),
            ).run()
        return heard

    def left(self) -> Left:
        """What the database holds now."""
        return read(self.path, self.plan)


@dataclass(frozen=True)
class Left:
    """What a run left: the sweep, its trials and jobs, and the study's trials by rig.

    `deliveries` lists the memo key of every measurement that was recorded, once for each time;
    `known_launches` counts the jobs whose launch turned out to be a known one.
    """

    sweep: SweepRow
    trials: tuple[TrialRow, ...]
    jobs: tuple[JobRow, ...]
    studies: dict[str, list[optuna.trial.FrozenTrial]]
    deliveries: tuple[str, ...]
    known_launches: int

    def of(self, rig: str) -> list[TrialRow]:
        """One rig's trials."""
        return [trial for trial in self.trials if trial.rig == rig]

    def study_trial(self, row: TrialRow) -> optuna.trial.FrozenTrial:
        """Optuna's side of a trial."""
        assert row.number is not None
        return self.studies[row.rig][row.number]


def read(path: Path, plan: Plan) -> Left:
    """Reads a database file as it is."""
    with open_database(str(path)) as database:
        key = sweep_key(plan)
        sweep = database.sweeps.get(key)
        assert sweep is not None, "the sweep was never begun"
        with opened(database) as storage:
            names = {
                rig.rig.name: f"{plan.space.name}/{key[:8]}/{rig.rig.name}" for rig in plan.rigs
            }
            studies = {rig: _study(storage, name) for rig, name in names.items()}
        return Left(
            sweep=sweep,
            trials=database.trials.list(sweep.id),
            jobs=database.jobs.list(sweep.id),
            studies=studies,
            deliveries=_column(
                database, "SELECT memo_key FROM job_facets WHERE position IS NOT NULL"
            ),
            known_launches=len(_column(database, "SELECT 1 FROM jobs WHERE same_as IS NOT NULL")),
        )


def _study(storage: optuna.storages.RDBStorage, name: str) -> list[optuna.trial.FrozenTrial]:
    if name not in optuna.get_all_study_names(storage):
        return []
    return optuna.load_study(study_name=name, storage=storage).get_trials(deepcopy=True)


def _column(database: Database, query: str) -> tuple[str, ...]:
    with database.engine.connect() as connection:
        return tuple(row[0] for row in connection.exec_driver_sql(query))
