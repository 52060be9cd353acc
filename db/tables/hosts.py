"""What hosts reported: whole reports by sweep, and their rigs, engines and models by content."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Json, Key, choice
from workers.contract.reports import RigKind


class SweepHostTable(Base):
    """The last report of each host that took part in a sweep."""

    __tablename__ = "sweep_hosts"

    sweep_id: Mapped[int] = mapped_column(ForeignKey("sweeps.id"), primary_key=True)
    host: Mapped[str] = mapped_column(primary_key=True)
    report: Mapped[Json]
    recorded: Mapped[datetime]


class RigTable(Base):
    """A rig as it was: `key` is the hash of the whole report, so a new driver is a new row.

    Rigs of one `hardware_key` may stand for one another where speed is concerned.
    """

    __tablename__ = "rigs"

    id: Mapped[Key]
    key: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    host: Mapped[str]
    kind: Mapped[RigKind] = mapped_column(choice(RigKind))
    hardware_key: Mapped[str] = mapped_column(index=True)
    simulated: Mapped[bool]
    report: Mapped[Json]
    first_seen: Mapped[datetime]


class EngineTable(Base):
    """One build found on one host, in its role (server or logits)."""

    __tablename__ = "engines"
    __table_args__ = (UniqueConstraint("host", "name", "role", "sha256", "path"),)

    id: Mapped[Key]
    host: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str]
    role: Mapped[str]
    label: Mapped[str]
    sha256: Mapped[str] = mapped_column(index=True)
    path: Mapped[str]
    capabilities: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    first_seen: Mapped[datetime]


class ModelTable(Base):
    """One model file found on one host. `size` in bytes; `header` holds GGUF facts."""

    __tablename__ = "models"
    __table_args__ = (UniqueConstraint("host", "reference", "sha256", "path"),)

    id: Mapped[Key]
    host: Mapped[str]
    reference: Mapped[str]
    path: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(index=True)
    header: Mapped[Json]
    first_seen: Mapped[datetime]
