"""Sweeps and their trials. Optuna's own tables (studies, trials, ...) share the database."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Json, Key, choice
from db.states import SweepState, TrialRole, TrialState
from search_spaces.metrics import Facet


class SweepTable(Base):
    """One search. `key` is the hash of space, recipe and rigs: the same command resumes it.

    `space` is the whole space; `named_facets` lists those that its `measure:` named, which
    the space's defaults, once written out, no longer tell. `runs` counts starts and resumes.
    `imported` is the hash of the file that somebody else's sweep came in. `heartbeat` is when
    its driver was last heard of, by the database's clock (s since the epoch).
    """

    __tablename__ = "sweeps"

    id: Mapped[Key]
    key: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(index=True)
    title: Mapped[str]
    space: Mapped[Json]
    named_facets: Mapped[Json]
    fingerprint: Mapped[Json]
    state: Mapped[SweepState] = mapped_column(choice(SweepState))
    runs: Mapped[int]
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    driver_host: Mapped[str]
    driver_pid: Mapped[int]
    driver_started: Mapped[float]
    heartbeat: Mapped[float] = mapped_column(server_default=text("0"))
    imported: Mapped[str | None]


class TrialTable(Base):
    """One candidate of a sweep on one rig. `number` is the trial's number in Optuna's study.

    The columns from `engine` to `n_max` repeat the main axes of `candidate` for people who
    write SQL. `same_as` is the trial whose numbers a replayed one has; `failed_by` the job
    that made it fail; `told` whether the study knows the result.
    """

    __tablename__ = "sweep_trials"
    __table_args__ = (
        UniqueConstraint("sweep_id", "rig", "number"),
        Index(None, "sweep_id", "state"),
    )

    id: Mapped[Key]
    sweep_id: Mapped[int] = mapped_column(ForeignKey("sweeps.id"))
    rig: Mapped[str]
    number: Mapped[int | None]
    role: Mapped[TrialRole] = mapped_column(choice(TrialRole))
    state: Mapped[TrialState] = mapped_column(choice(TrialState))
    asked_key: Mapped[str] = mapped_column(index=True)
    resolved_key: Mapped[str | None] = mapped_column(index=True)
    effective_key: Mapped[str | None] = mapped_column(index=True)
    candidate: Mapped[Json]
    engine: Mapped[str]
    model: Mapped[str]
    drafter: Mapped[str | None]
    kv_k: Mapped[str]
    kv_v: Mapped[str]
    ctx: Mapped[int]
    spec: Mapped[str]
    n_max: Mapped[int | None]
    same_as: Mapped[int | None] = mapped_column(ForeignKey("sweep_trials.id"))
    failed_by: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"))
    told: Mapped[bool]
    flags: Mapped[Json]
    created: Mapped[datetime]
    ended: Mapped[datetime | None]


class TrialFacetTable(Base):
    """Where a trial's numbers are: one memo key for each facet."""

    __tablename__ = "sweep_trial_facets"

    trial_id: Mapped[int] = mapped_column(ForeignKey("sweep_trials.id"), primary_key=True)
    facet: Mapped[Facet] = mapped_column(choice(Facet), primary_key=True)
    memo_key: Mapped[str] = mapped_column(index=True)
