"""What is known under memo keys, whatever trial or sweep asked first."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from db.repositories.failure_rows import failure_row, failures
from db.repositories.measurement_rows import read_measurements
from db.repositories.sample_rows import read_samples
from db.rows import FailureRow, Known, Measurement, SampleRow
from db.tables.hosts import RigTable
from db.tables.jobs import FailureTable, JobFacetTable
from db.tables.measurements import MeasurementTable, SampleTable
from db.transactions import Store
from db.upsert import batches
from workers.contract.failure import FailureKind


class Memo:
    """Lookups by memo key, in bulk: a query for every 10,000 keys, not for every key."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, keys: Iterable[str], *, hardware_key: str | None = None) -> Known:
        """Which keys are measured, and which failed in a way that would repeat itself.

        With `hardware_key` only failures on such hardware count: a perplexity is the same on
        any card, but whether it fits is not. Of several failures the last one is given. Those of
        an installation are left out: it may have been repaired since.
        """
        measured: set[str] = set()
        failed: dict[str, FailureRow] = {}
        query = (
            failures()
            .join(JobFacetTable, JobFacetTable.job_id == FailureTable.job_id)
            .add_columns(JobFacetTable.memo_key)
            .where(JobFacetTable.position.is_(None), FailureTable.deterministic)
            .where(FailureTable.kind != FailureKind.DRIVER_OR_INSTALL)
        )
        if hardware_key is not None:
            query = query.where(RigTable.hardware_key == hardware_key)
        with self._store.reading() as session:
            for some in batches(sorted(set(keys))):
                among = JobFacetTable.memo_key.in_(some)
                delivered = select(JobFacetTable.memo_key).where(
                    among, JobFacetTable.position.is_not(None)
                )
                measured.update(session.scalars(delivered.distinct()))
                for row in session.execute(query.where(among)):
                    failed[row.memo_key] = failure_row(row)
        return Known(
            frozenset(measured), {key: row for key, row in failed.items() if key not in measured}
        )

    def estimates_for(self, keys: Iterable[str]) -> dict[str, tuple[Measurement, ...]]:
        """The best estimates by memo key; keys without any are absent."""
        found: dict[str, list[Measurement]] = {}
        with self._store.reading() as session:
            for some in batches(sorted(set(keys))):
                for row in read_measurements(session, MeasurementTable.memo_key.in_(some)):
                    found.setdefault(row.memo_key, []).append(row)
        return {key: tuple(rows) for key, rows in found.items()}

    def samples_for(self, keys: Iterable[str]) -> dict[str, tuple[SampleRow, ...]]:
        """Every raw sample by memo key, those of the oldest job first."""
        found: dict[str, list[SampleRow]] = {}
        with self._store.reading() as session:
            for some in batches(sorted(set(keys))):
                for row in read_samples(session, SampleTable.memo_key.in_(some)):
                    found.setdefault(row.memo_key, []).append(row)
        return {key: tuple(rows) for key, rows in found.items()}
