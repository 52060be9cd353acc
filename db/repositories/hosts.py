"""What hosts reported."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.codec import from_json, to_json
from db.tables.hosts import EngineTable, ModelTable, RigTable, SweepHostTable
from db.transactions import Store
from db.upsert import insert_if_new, insert_into
from search_spaces.candidate import digest
from workers.contract.reports import HostReport, RigReport


class Hosts:
    """Reports of the hosts that take part in sweeps."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, sweep_id: int, report: HostReport) -> None:
        """Keeps a host's report; a later one of the same host and sweep takes its place.

        Its rigs, engines and models are also kept by content, where nothing is ever replaced.
        """
        now = self._store.now()
        with self._store.writing() as session:
            row = {"report": to_json(report), "recorded": now}
            session.execute(
                insert_into(session, SweepHostTable)
                .values(sweep_id=sweep_id, host=report.host, **row)
                .on_conflict_do_update(index_elements=["sweep_id", "host"], set_=row)
            )
            for rig in report.rigs:
                rig_id(session, rig, now)
            insert_if_new(session, EngineTable, _engine_rows(report, now))
            insert_if_new(session, ModelTable, _model_rows(report, now))

    def of(self, sweep_id: int) -> tuple[HostReport, ...]:
        """The last report of each host of a sweep, by host name."""
        query = (
            select(SweepHostTable.report)
            .where(SweepHostTable.sweep_id == sweep_id)
            .order_by(SweepHostTable.host)
        )
        with self._store.reading() as session:
            return tuple(from_json(HostReport, data) for data in session.scalars(query))


def rig_id(session: Session, rig: RigReport, now: Any) -> int:
    """The id of the row that holds exactly this report, which is made if need be."""
    report = to_json(rig)
    key = digest(report)
    insert_if_new(
        session,
        RigTable,
        [
            {
                "key": key,
                "name": rig.name,
                "host": rig.host,
                "kind": rig.kind,
                "hardware_key": rig.hardware_key,
                "simulated": rig.simulated,
                "report": report,
                "first_seen": now,
            }
        ],
    )
    return session.scalars(select(RigTable.id).where(RigTable.key == key)).one()


def _engine_rows(report: HostReport, now: Any) -> list[dict[str, Any]]:
    return [
        {
            "host": report.host,
            "name": engine.name,
            "kind": engine.kind,
            "role": build.role,
            "label": build.label,
            "sha256": build.sha256,
            "path": build.path,
            "capabilities": None if engine.capabilities is None else to_json(engine.capabilities),
            "first_seen": now,
        }
        for engine in report.engines
        for build in engine.builds
    ]


def _model_rows(report: HostReport, now: Any) -> list[dict[str, Any]]:
    """Models that were found; one with a problem and no content is only in the report."""
    return [
        {
            "host": report.host,
            "reference": model.reference,
            "path": model.path,
            "size": model.size,
            "sha256": model.sha256,
            "header": dict(model.header),
            "first_seen": now,
        }
        for model in report.models
        if model.sha256
    ]
