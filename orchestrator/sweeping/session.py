"""A sweep from a space to its end: survey, plan, open the records, take up what is there, run."""

from __future__ import annotations

import hashlib
import platform
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from db.database import Database
from db.errors import DatabaseAwayError
from db.rows import Driver as DriverRow
from db.rows import SweepRow
from orchestrator.sweeping.anchors import Anchors
from orchestrator.sweeping.backstop import Backstop
from orchestrator.sweeping.classes import RigClass, classes_of
from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.driver import Driver
from orchestrator.sweeping.events import Listener
from orchestrator.sweeping.heartbeat import STALE_S, Heartbeat
from orchestrator.sweeping.learnt import begin_with_fronts
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.leftovers import reap_engines
from orchestrator.sweeping.patience import Patience
from orchestrator.sweeping.plan import Plan, RigPlan, survey_request, why_not
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.quarantine import Watch
from orchestrator.sweeping.reconcile import take_up
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.memory import learn_from_launch
from orchestrator.sweeping.search import Domain, Search
from orchestrator.sweeping.seat import Seat
from orchestrator.sweeping.storage import opened
from orchestrator.sweeping.study import Study
from orchestrator.version import VERSION
from search_spaces.candidate import digest
from search_spaces.parameters import candidate_of
from search_spaces.space import Budget
from search_spaces.walk import Assignment

if TYPE_CHECKING:
    import optuna


@dataclass(frozen=True)
class Session:
    """What one run of `orchestrate sweep` works with."""

    plan: Plan
    database: Database
    pool: Pool
    listener: Listener
    log_root: Path
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self) -> SweepRow:
        """Runs the sweep to its end; returns its row. Raises KeyboardInterrupt when stopped.

        Whatever happens, engines are stopped and what was measured stays recorded.
        """
        me = this_driver()
        for pid in reap_engines(self.database, self.log_root, me, is_alive):
            self.listener.note(f"Killed an engine that an earlier run left behind (process {pid}).")
        row = self._open(me)
        patience = Patience(self.database.shown, self.listener.note, self.stopping)
        records = Records(self.database, row.id, patience)
        records.abandon_jobs()
        self.database.quarantines.lift(row.id)
        pulse = Heartbeat(self.database, row.id, me, self.stopping)
        try:
            with (
                pulse.beating(),
                stopped_by_signals(self.stopping),
                opened(self.database) as storage,
            ):
                self.pool.start({rig.rig.name: rig.rig for rig in self.plan.rigs})
                self._driver(row, records, storage).run()
        except BaseException:
            self.pool.stop()
            pulse.check()
            with suppress(DatabaseAwayError):  # then the next run does this
                records.abandon_jobs()
                self.database.sweeps.interrupt(row.id)
            raise
        self.pool.stop()
        patience(lambda: self._end(row))
        return row

    def _end(self, row: SweepRow) -> None:
        out = {left_out.rig for left_out in self.database.quarantines.of(row.id)}
        if any(out.issuperset(one.names) for one in classes_of(self.plan)):  # nobody did its part
            self.database.sweeps.interrupt(row.id)
        else:
            self.database.sweeps.finish(row.id)

    def _open(self, me: DriverRow) -> SweepRow:
        row = self.database.sweeps.start_or_resume(
            sweep_key(self.plan),
            self.plan.space,
            me,
            fingerprint=fingerprint(self.plan),
            is_alive=is_alive,
        )
        for host in self.plan.hosts:
            self.database.hosts.record(row.id, host)
        return row

    def _driver(
        self, row: SweepRow, records: Records, storage: optuna.storages.BaseStorage
    ) -> Driver:
        minutes = self.plan.space.budget.minutes
        classes = classes_of(self.plan)
        driver = Driver(
            space=self.plan.space,
            desks={
                one.name: self._desk(row.key, one, storage, records.patience) for one in classes
            },
            pool=self.pool,
            records=records,
            ledger=Ledger(),
            listener=self.listener,
            log_root=self.log_root,
            deadline=None if minutes is None else time.monotonic() + 60 * minutes,
            stopping=self.stopping,
        )
        resumed = take_up(driver, records.all())
        self.listener.planned(self.plan, resumed)
        for one in classes:
            if one.sentence is not None:
                self.listener.note(one.sentence)
            desk = driver.desks[one.name]
            for base in one.plan.baselines[: max(1, desk.budget // 3)]:
                if desk.may_ask:
                    driver.ask_baseline(desk, base)
        desks, note = driver.desks, self.listener.note
        records.patience(lambda: begin_with_fronts(self.database, row, classes, desks, note))
        return driver

    def _ground(self, rig: RigPlan) -> Ground:
        """The rig, and what earlier launches on such hardware told, of whatever sweep."""
        ground = Ground(self.plan.space, rig.rig, rig.host)
        for launch in self.database.jobs.told(rig.rig.hardware_key):
            learn_from_launch(ground, launch.resolved, launch.telemetry)
        return ground

    def _desk(
        self,
        key: str,
        rigs: RigClass,
        storage: optuna.storages.BaseStorage,
        patience: Patience,
    ) -> Desk:
        space, rig = self.plan.space, rigs.plan
        sweep = f"{space.name}/{key[:8]}"
        name = f"{sweep}/{rigs.name}"
        ground = self._ground(rig)
        resolver = Resolver(space, rig.rig, rig.host)
        engines = frozenset(survey_request(space).engines)
        seats = tuple(
            Seat(one, Watch(one.name, engines), Anchors(space.drift, f"{sweep}/{one.name}"))
            for one in rigs.rigs
        )
        backstop = Backstop()

        def excluded(assignment: Assignment) -> str | None:
            candidate = candidate_of(assignment)
            why = why_not(ground, assignment, candidate)
            return why.reason if why else backstop.why_not(candidate)

        pool = None if rig.truncated else rig.feasible
        domain = Domain(space, excluded, resolver.identity, pool)
        seed = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
        search = Search(
            Study(storage, name, space, seed, patience), domain, space.budget.trials, name
        )
        return Desk(ground, search, resolver, space.budget.trials, seats, backstop=backstop)


def this_driver() -> DriverRow:
    """The process that runs this code, as the records name it."""
    me = psutil.Process()
    return DriverRow(platform.node(), me.pid, me.create_time())


def sweep_key(plan: Plan) -> str:
    """Identity of a sweep: its space and recipe, and the rigs it runs on.

    The budget is left out: asking for more trials goes on with the same sweep. Which rigs share
    a study is not: without equal rigs it says nothing.
    """
    space = plan.space.model_copy(update={"budget": Budget()})
    rigs = sorted((rig.rig.name, rig.rig.hardware_key) for rig in plan.rigs)
    shared = [one.names for one in classes_of(plan) if len(one.rigs) > 1]
    return digest([space.key, rigs, shared] if shared else [space.key, rigs])


def fingerprint(plan: Plan) -> Mapping[str, str]:
    """What the sweep runs with: versions and hashes, by host where there are several."""
    own = {"orchestrate": VERSION, "python": platform.python_version(), "os": platform.platform()}
    for host in plan.hosts:
        at = f"{host.host}: " if len(plan.hosts) > 1 else ""
        for engine in host.engines:
            for build in engine.builds:
                own[f"{at}{engine.name}/{build.role}"] = f"{build.label} {build.sha256[:16]}"
        own |= {f"{at}{m.reference}": m.sha256[:16] for m in host.models if m.sha256}
    return own


def is_alive(driver: DriverRow) -> bool:
    """Whether the process that runs a sweep still lives; another host's is one that beats."""
    if driver.host != platform.node():
        return driver.silent_s is None or driver.silent_s < STALE_S
    try:
        return abs(psutil.Process(driver.pid).create_time() - driver.pid_started) < 2.0
    except psutil.NoSuchProcess:
        return False


@contextmanager
def stopped_by_signals(stopping: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the sweep at the next step; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    before = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
