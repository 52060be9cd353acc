"""Verifications: a sweep's finalists measured again, and what became of each claim."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Json, Key, choice
from db.states import ClaimVerdict, SweepState


class VerificationTable(Base):
    """One run of `orchestrate verify`. A killed driver leaves it running."""

    __tablename__ = "verifications"

    id: Mapped[Key]
    sweep_id: Mapped[int] = mapped_column(ForeignKey("sweeps.id"), index=True)
    state: Mapped[SweepState] = mapped_column(choice(SweepState))
    seed: Mapped[int] = mapped_column(BigInteger)
    launches: Mapped[int]
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    driver_host: Mapped[str]
    driver_pid: Mapped[int]
    driver_started: Mapped[float]


class VerificationRunTable(Base):
    """One launch, in the order of `position` on its rig. Its raw samples are under `memo`."""

    __tablename__ = "verification_runs"

    verification_id: Mapped[int] = mapped_column(ForeignKey("verifications.id"), primary_key=True)
    rig: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    round: Mapped[int]
    trial_id: Mapped[int] = mapped_column(ForeignKey("sweep_trials.id"))
    memo: Mapped[Json]
    job_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"))


class VerificationClaimTable(Base):
    """One claim: what the sweep said, what the fresh run found, and whether it survived."""

    __tablename__ = "verification_claims"

    verification_id: Mapped[int] = mapped_column(ForeignKey("verifications.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    rig: Mapped[str]
    trial_id: Mapped[int] = mapped_column(ForeignKey("sweep_trials.id"))
    kind: Mapped[str]
    verdict: Mapped[ClaimVerdict] = mapped_column(choice(ClaimVerdict))
    sentence: Mapped[str]
    claimed: Mapped[float | None]
    value: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
