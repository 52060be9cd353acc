"""Rigs that a sweep left out, and until when."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Key


class QuarantineTable(Base):
    """One rig left out of one sweep. `lifted`: when a later run tried it again, NULL until then."""

    __tablename__ = "quarantines"

    id: Mapped[Key]
    sweep_id: Mapped[int] = mapped_column(ForeignKey("sweeps.id"), index=True)
    rig: Mapped[str]
    reason: Mapped[str]
    began: Mapped[datetime]
    lifted: Mapped[datetime | None]
