"""Jobs and what happened in them: launches, gates, failures."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Json, Key, choice
from db.states import JobState
from search_spaces.metrics import Facet
from workers.contract.failure import FailureKind, Phase


class JobTable(Base):
    """One attempt at measuring facets of a candidate on a rig. Durations in seconds.

    `log_path` and `argv` are those of the last launch; `effective` is what the engine really
    did where it differs from the candidate; `same_as` the resolved key it turned out to be.
    """

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(primary_key=True)
    sweep_id: Mapped[int | None] = mapped_column(ForeignKey("sweeps.id"), index=True)
    rig_id: Mapped[int] = mapped_column(ForeignKey("rigs.id"))
    state: Mapped[JobState] = mapped_column(choice(JobState), index=True)
    attempt: Mapped[int]
    seed: Mapped[int] = mapped_column(BigInteger)
    simulated: Mapped[bool]
    resolved_key: Mapped[str] = mapped_column(index=True)
    resolved: Mapped[Json]
    recipe: Mapped[Json]
    stop: Mapped[Json]
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    start_s: Mapped[float | None]
    facets_s: Mapped[float | None]
    wall_s: Mapped[float | None]
    log_path: Mapped[str]
    argv: Mapped[Json]
    effective: Mapped[Json]
    telemetry: Mapped[Json]
    log_tail: Mapped[str]
    same_as: Mapped[str | None]


class JobFacetTable(Base):
    """A facet that a job was asked for and, where `position` is set, what it delivered.

    `estimates` are those of this job alone; `measurements` holds the best of all jobs.
    """

    __tablename__ = "job_facets"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    memo_key: Mapped[str] = mapped_column(primary_key=True, index=True)
    facet: Mapped[Facet] = mapped_column(choice(Facet))
    position: Mapped[int | None]
    build_role: Mapped[str | None]
    build_label: Mapped[str | None]
    build_sha256: Mapped[str | None]
    build_path: Mapped[str | None]
    estimates: Mapped[Json]
    flags: Mapped[Json]


class LaunchTable(Base):
    """One start of an engine: how to find the process again, should its driver die.

    `position` is its place in the outcome, None while only its start was reported;
    `series` the thinned telemetry while it ran.
    """

    __tablename__ = "launches"

    id: Mapped[Key]
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), index=True)
    position: Mapped[int | None]
    pid: Mapped[int]
    pid_started: Mapped[float]
    argv: Mapped[Json]
    log_path: Mapped[str]
    start_s: Mapped[float]
    series: Mapped[Json] = mapped_column(nullable=True)


class GateTable(Base):
    """What one gate said of a job."""

    __tablename__ = "gates"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    gate: Mapped[str]
    passed: Mapped[bool]
    fatal: Mapped[bool]
    detail: Mapped[str]


class FailureTable(Base):
    """Why a job failed. The facets it concerns are the job's facets without a position."""

    __tablename__ = "failures"

    id: Mapped[Key]
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)
    kind: Mapped[FailureKind] = mapped_column(choice(FailureKind), index=True)
    phase: Mapped[Phase] = mapped_column(choice(Phase))
    evidence: Mapped[str]
    advice: Mapped[str]
    deterministic: Mapped[bool]
    detail: Mapped[str]
