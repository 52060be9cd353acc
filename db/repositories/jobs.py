"""Jobs: noted before they start, so that no engine is forgotten; recorded whole, and once."""

from __future__ import annotations

from sqlalchemy import ColumnElement, select

from db.codec import from_json, to_json
from db.errors import DatabaseError
from db.repositories.hosts import rig_id
from db.repositories.job_rows import read_jobs
from db.repositories.outcome_parts import launch_row
from db.repositories.outcomes import read_outcome, write_outcome
from db.rows import Driver, JobRow, LiveEngine, ToldLaunch
from db.states import JobState
from db.tables.hosts import RigTable
from db.tables.jobs import JobFacetTable, JobTable, LaunchTable
from db.tables.sweeps import SweepTable
from db.transactions import Store
from search_spaces.metrics import Facet
from workers.contract.job import Job
from workers.contract.outcome import LaunchRecord, Outcome
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate

REPLAY = "replay"  # the kind of engine whose numbers are recorded ones


class Jobs:
    """What workers were asked to do, and what came back."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start(self, job: Job, rig: RigReport, sweep_id: int | None = None) -> JobRow:
        """Notes a job before a worker gets it.

        A job that is already running is begun anew (its driver died before the worker began);
        one with an outcome is refused: each attempt needs an id of its own.
        """
        now = self._store.now()
        with self._store.writing() as session:
            rig_row = rig_id(session, rig, now)
            row = session.get(JobTable, job.id, with_for_update=True)
            if row is None:
                row = JobTable(id=job.id)
                session.add(row)
            elif row.state is not JobState.RUNNING:
                raise DatabaseError(
                    f"the job {job.id} already has an outcome.",
                    "Give its next attempt another id.",
                )
            row.sweep_id = sweep_id
            row.rig_id = rig_row
            row.state = JobState.RUNNING
            row.attempt = job.attempt
            row.seed = job.seed
            row.simulated = rig.simulated or job.engine.kind == REPLAY
            row.resolved_key = job.resolved.key
            row.resolved = to_json(job.resolved)
            row.recipe = to_json(job.recipe)
            row.stop = to_json(job.stop)
            row.started = now
            row.log_path, row.argv = job.log_dir, []
            row.effective, row.telemetry, row.log_tail = {}, {}, ""
            session.flush()
            for facet in job.facets:
                session.merge(
                    JobFacetTable(
                        job_id=job.id,
                        memo_key=job.memo[facet],
                        facet=facet,
                        estimates=[],
                        flags=[],
                    )
                )
            session.flush()
            return read_jobs(session, JobTable.id == job.id)[0]

    def launched(self, job_id: str, launch: LaunchRecord) -> None:
        """Notes an engine as soon as it has started; its outcome will repeat it."""
        with self._store.writing() as session:
            session.add(launch_row(job_id, None, launch))

    def record(self, outcome: Outcome) -> bool:
        """Stores all of an outcome in one transaction. False: this job already had one.

        Raises DatabaseError when the job was never started.
        """
        with self._store.writing() as session:
            job = session.get(JobTable, outcome.job_id, with_for_update=True)
            if job is None:
                raise DatabaseError(
                    f"the job {outcome.job_id} was never started.", "Call jobs.start first."
                )
            if job.state is not JobState.RUNNING:
                return False
            write_outcome(session, job, outcome, self._store.now())
            return True

    def outcome(self, job_id: str) -> Outcome | None:
        """The outcome as it was recorded; None for a job that has none."""
        with self._store.reading() as session:
            job = session.get(JobTable, job_id)
            if job is None or job.state is JobState.RUNNING:
                return None
            return read_outcome(session, job)

    def get(self, job_id: str) -> JobRow | None:
        """One job."""
        found = self._jobs(JobTable.id == job_id)
        return found[0] if found else None

    def list(self, sweep_id: int) -> tuple[JobRow, ...]:
        """All jobs of a sweep, in the order they started."""
        return self._jobs(JobTable.sweep_id == sweep_id)

    def rigs(self, sweep_id: int) -> dict[str, str]:
        """The name of the rig that ran each job of a sweep, by the job's id."""
        query = (
            select(JobTable.id, RigTable.name)
            .join(RigTable, RigTable.id == JobTable.rig_id)
            .where(JobTable.sweep_id == sweep_id)
        )
        with self._store.reading() as session:
            return {row.id: row.name for row in session.execute(query)}

    def told(self, hardware_key: str, latest: int = 1000) -> tuple[ToldLaunch, ...]:
        """What the latest whole launches on such hardware told, of every sweep; oldest first."""
        query = (
            select(JobTable.resolved, JobTable.effective, JobTable.telemetry)
            .join(RigTable, RigTable.id == JobTable.rig_id)
            .where(
                RigTable.hardware_key == hardware_key,
                JobTable.state == JobState.DONE,
                JobTable.start_s > 0,
                JobTable.simulated.is_(False),
            )
            .order_by(JobTable.started.desc(), JobTable.id.desc())
            .limit(latest)
        )
        with self._store.reading() as session:
            rows = session.execute(query).all()
        return tuple(
            ToldLaunch(
                from_json(ResolvedCandidate, resolved).with_effective(dict(effective)),
                from_json(dict[str, float], telemetry),
            )
            for resolved, effective, telemetry in reversed(rows)
        )

    def asked_for(self, memo_key: str) -> tuple[JobRow, ...]:
        """Every job that was to measure this key, of any sweep or of none, oldest first."""
        asked = select(JobFacetTable.job_id).where(JobFacetTable.memo_key == memo_key)
        return self._jobs(JobTable.id.in_(asked))

    def running(self) -> tuple[JobRow, ...]:
        """Jobs without an outcome, of every sweep."""
        return self._jobs(JobTable.state == JobState.RUNNING)

    def delivered(self, sweep_id: int, facet: Facet) -> tuple[tuple[str, str], ...]:
        """Rig and memo key of every measurement of a facet that a sweep's jobs brought."""
        query = (
            select(RigTable.name, JobFacetTable.memo_key)
            .join(JobTable, JobTable.id == JobFacetTable.job_id)
            .join(RigTable, RigTable.id == JobTable.rig_id)
            .where(
                JobTable.sweep_id == sweep_id,
                JobFacetTable.facet == facet,
                JobFacetTable.position.is_not(None),
            )
        )
        with self._store.reading() as session:
            return tuple((rig, key) for rig, key in session.execute(query))

    def live_engines(self) -> tuple[LiveEngine, ...]:
        """The engines of jobs without an outcome, each with the driver that started it."""
        query = (
            select(LaunchTable, RigTable.host, SweepTable)
            .join(JobTable, JobTable.id == LaunchTable.job_id)
            .join(RigTable, RigTable.id == JobTable.rig_id)
            .outerjoin(SweepTable, SweepTable.id == JobTable.sweep_id)
            .where(JobTable.state == JobState.RUNNING)
            .order_by(LaunchTable.id)
        )
        with self._store.reading() as session:
            return tuple(
                LiveEngine(
                    job_id=launch.job_id,
                    host=host,
                    pid=launch.pid,
                    pid_started=launch.pid_started,
                    driver=Driver(sweep.driver_host, sweep.driver_pid, sweep.driver_started)
                    if sweep
                    else None,
                )
                for launch, host, sweep in session.execute(query)
            )

    def _jobs(self, *where: ColumnElement[bool]) -> tuple[JobRow, ...]:
        with self._store.reading() as session:
            return read_jobs(session, *where)
