"""Which rigs a sweep leaves out at the moment, and why."""

from __future__ import annotations

from sqlalchemy import select, update

from db.rows import QuarantineRow
from db.tables.quarantines import QuarantineTable
from db.transactions import Store


class Quarantines:
    """A rig is left out until the next run of its sweep; the row stays."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, sweep_id: int, rig: str, reason: str) -> None:
        """No more work goes to this rig."""
        with self._store.writing() as session:
            session.add(
                QuarantineTable(sweep_id=sweep_id, rig=rig, reason=reason, began=self._store.now())
            )

    def lift(self, sweep_id: int) -> None:
        """Every rig is tried again."""
        with self._store.writing() as session:
            session.execute(
                update(QuarantineTable)
                .where(QuarantineTable.sweep_id == sweep_id, QuarantineTable.lifted.is_(None))
                .values(lifted=self._store.now())
            )

    def of(self, sweep_id: int) -> tuple[QuarantineRow, ...]:
        """The rigs that are left out now, in the order in which they were."""
        query = (
            select(QuarantineTable)
            .where(QuarantineTable.sweep_id == sweep_id, QuarantineTable.lifted.is_(None))
            .order_by(QuarantineTable.id)
        )
        with self._store.reading() as session:
            return tuple(
                QuarantineRow(row.rig, row.reason, row.began) for row in session.scalars(query)
            )
