"""Reading trials together with their links, in two queries however many there are."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import ColumnElement, Row, select
from sqlalchemy.orm import Session

from db.errors import DatabaseError
from db.rows import TrialRow
from db.tables.sweeps import TrialFacetTable, TrialTable
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet

_COLUMNS = (
    TrialTable.id,
    TrialTable.sweep_id,
    TrialTable.rig,
    TrialTable.number,
    TrialTable.role,
    TrialTable.state,
    TrialTable.candidate,
    TrialTable.asked_key,
    TrialTable.resolved_key,
    TrialTable.effective_key,
    TrialTable.same_as,
    TrialTable.failed_by,
    TrialTable.told,
    TrialTable.flags,
    TrialTable.created,
    TrialTable.ended,
)


def read_trials(session: Session, *where: ColumnElement[bool]) -> tuple[TrialRow, ...]:
    """The trials that match, in the order they were added."""
    links = (
        select(TrialFacetTable.trial_id, TrialFacetTable.facet, TrialFacetTable.memo_key)
        .join(TrialTable, TrialTable.id == TrialFacetTable.trial_id)
        .where(*where)
        .order_by(TrialFacetTable.facet)
    )
    memo: dict[int, dict[Facet, str]] = defaultdict(dict)
    for trial_id, facet, key in session.execute(links):
        memo[trial_id][facet] = key
    rows = session.execute(select(*_COLUMNS).where(*where).order_by(TrialTable.id))
    return tuple(_row(row, memo.get(row.id, {})) for row in rows)


def _row(row: Row[*tuple[object, ...]], memo: dict[Facet, str]) -> TrialRow:
    return TrialRow(
        id=row.id,
        sweep_id=row.sweep_id,
        rig=row.rig,
        number=row.number,
        role=row.role,
        state=row.state,
        candidate=candidate_of_row(row),
        asked_key=row.asked_key,
        resolved_key=row.resolved_key,
        effective_key=row.effective_key,
        same_as=row.same_as,
        failed_by=row.failed_by,
        told=row.told,
        flags=tuple(row.flags),
        created=row.created,
        ended=row.ended,
        memo=memo,
    )


def candidate_of_row(row: Row[*tuple[object, ...]]) -> Candidate:
    """The candidate of a row with `id` and `candidate`; DatabaseError for what is none."""
    try:
        return Candidate.from_dict(row.candidate)
    except TypeError as error:
        raise DatabaseError(
            f"the candidate of trial {row.id} cannot be read: {error}.",
            "It was written by another version of orchestrate: use that version.",
        ) from None
