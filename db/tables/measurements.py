"""Numbers. They belong to memo keys, not to trials."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import ForeignKey

from db.columns import Base, Json, Key, choice
from search_spaces.metrics import Facet


class MeasurementTable(Base):
    """The best estimate there is of a metric under a memo key, with its 95 % interval.

    A job with more repetitions replaces all estimates of a facet together: `facet_n` is the
    largest `n` among them. `value` is NULL for an estimate that is not a number.
    """

    __tablename__ = "measurements"
    __table_args__ = (UniqueConstraint("memo_key", "metric"),)

    id: Mapped[Key]
    memo_key: Mapped[str]
    facet: Mapped[Facet] = mapped_column(choice(Facet))
    metric: Mapped[str]
    value: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
    unit: Mapped[str]
    n: Mapped[int]
    facet_n: Mapped[int]
    build_label: Mapped[str]
    build_sha256: Mapped[str]
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), index=True)


class SampleTable(Base):
    """One raw observation, kept for ever. `group_name` is the prompt's class."""

    __tablename__ = "samples"
    __table_args__ = (Index(None, "memo_key", "job_id", "position"),)

    id: Mapped[Key]
    memo_key: Mapped[str]
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), index=True)
    facet: Mapped[Facet] = mapped_column(choice(Facet))
    position: Mapped[int]
    label: Mapped[str]
    group_name: Mapped[str]
    launch: Mapped[int]
    repeat: Mapped[int]
    raw_values: Mapped[Json]
