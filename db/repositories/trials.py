"""Trials: what the driver asked for, and what has become of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import ColumnElement, func, select, update

from db.errors import DatabaseError
from db.repositories.trial_rows import read_trials
from db.rows import TrialCounts, TrialRow
from db.states import TrialRole, TrialState
from db.tables.sweeps import TrialFacetTable, TrialTable
from db.transactions import Store
from db.upsert import insert_into
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.resolved import ResolvedCandidate


class Trials:
    """The trials of all sweeps. Every change is one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self,
        sweep_id: int,
        rig: str,
        candidate: Candidate,
        role: TrialRole,
        *,
        number: int | None = None,
        resolved: ResolvedCandidate | None = None,
        memo: Mapping[Facet, str] | None = None,
    ) -> TrialRow:
        """A new waiting trial, linked to its memo keys.

        `number` is Optuna's trial number, None outside of a study. Adding a number again with
        the same candidate returns the trial that is there; with another one it is refused.
        """
        with self._store.writing() as session:
            if number is not None:
                there = read_trials(
                    session,
                    TrialTable.sweep_id == sweep_id,
                    TrialTable.rig == rig,
                    TrialTable.number == number,
                )
                if there and there[0].candidate == candidate:
                    return there[0]
                if there:
                    raise DatabaseError(
                        f"trial {number} on {rig} is already recorded with another candidate.",
                        "The study and the records do not belong together: "
                        "use the database that the sweep began with.",
                    )
            trial = TrialTable(
                sweep_id=sweep_id,
                rig=rig,
                number=number,
                role=role,
                state=TrialState.WAITING,
                asked_key=candidate.asked_key,
                resolved_key=resolved.key if resolved else None,
                candidate=candidate.as_dict(),
                told=False,
                flags=[],
                created=self._store.now(),
                **{name: getattr(candidate, name) for name in _PLAIN},
            )
            session.add(trial)
            session.flush()
            for facet, key in (memo or {}).items():
                session.add(TrialFacetTable(trial_id=trial.id, facet=facet, memo_key=key))
            session.flush()
            return read_trials(session, TrialTable.id == trial.id)[0]

    def link(self, trial_id: int, memo: Mapping[Facet, str]) -> None:
        """Says where the trial's numbers are; a facet linked before is linked anew."""
        if not memo:
            return
        with self._store.writing() as session:
            link = insert_into(session, TrialFacetTable)
            session.execute(
                link.on_conflict_do_update(
                    index_elements=["trial_id", "facet"],
                    set_={"memo_key": link.excluded.memo_key},
                ),
                [{"trial_id": trial_id, "facet": f, "memo_key": k} for f, k in memo.items()],
            )

    def set_effective(self, trial_id: int, effective_key: str) -> None:
        """What the launch turned out to be."""
        self._change(trial_id, effective_key=effective_key)

    def flag(self, trial_id: int, flags: Iterable[str]) -> None:
        """Adds flags, each once."""
        with self._store.writing() as session:
            trial = session.get(TrialTable, trial_id, with_for_update=True)
            if trial is None:
                raise _unknown(trial_id)
            trial.flags = list(dict.fromkeys([*trial.flags, *flags]))

    def complete(self, trial_id: int) -> None:
        """All of its facets are known."""
        self._change(trial_id, state=TrialState.COMPLETE, ended=self._store.now())

    def fail(self, trial_id: int, job_id: str) -> None:
        """It has no result, because of what happened in a job."""
        now = self._store.now()
        self._change(trial_id, state=TrialState.FAILED, failed_by=job_id, ended=now)

    def replay(self, trial_id: int, same_as: int) -> None:
        """Its numbers are those of another trial, whose links it takes over.

        `same_as` ends up naming the trial that was measured, however long the chain is.
        """
        with self._store.writing() as session:
            origin = session.get(TrialTable, same_as)
            if origin is None:
                raise _unknown(same_as)
            root = origin if origin.same_as is None else session.get_one(TrialTable, origin.same_as)
            if root.id == trial_id:
                raise DatabaseError(f"trial {trial_id} cannot be the same as itself.")
            trial = session.get(TrialTable, trial_id)
            if trial is None:
                raise _unknown(trial_id)
            trial.state = TrialState.REPLAYED
            trial.same_as = root.id
            trial.failed_by = root.failed_by
            trial.ended = self._store.now()
            links = select(TrialFacetTable).where(TrialFacetTable.trial_id == root.id)
            for link in session.scalars(links).all():
                session.merge(
                    TrialFacetTable(trial_id=trial_id, facet=link.facet, memo_key=link.memo_key)
                )

    def told(self, trial_id: int) -> None:
        """The study knows the result."""
        self._change(trial_id, told=True)

    def _change(self, trial_id: int, **values: object) -> None:
        with self._store.writing() as session:
            changed = session.execute(
                update(TrialTable)
                .where(TrialTable.id == trial_id)
                .values(**values)
                .returning(TrialTable.id)
            ).first()
            if changed is None:
                raise _unknown(trial_id)

    def get(self, trial_id: int) -> TrialRow:
        """One trial; raises DatabaseError for an unknown id."""
        found = self._read(TrialTable.id == trial_id)
        if not found:
            raise _unknown(trial_id)
        return found[0]

    def list(self, sweep_id: int) -> tuple[TrialRow, ...]:
        """All trials of a sweep, in the order they were added."""
        return self._read(TrialTable.sweep_id == sweep_id)

    def anchors(self, sweep_id: int) -> tuple[TrialRow, ...]:
        """The baselines that were measured again, in the order they were added."""
        return self._read(TrialTable.sweep_id == sweep_id, TrialTable.role == TrialRole.ANCHOR)

    def untold(self, sweep_id: int) -> tuple[TrialRow, ...]:
        """Trials whose result is recorded, but which the study may not know."""
        return self._read(
            TrialTable.sweep_id == sweep_id,
            TrialTable.state != TrialState.WAITING,
            TrialTable.told.is_(False),
            TrialTable.number.is_not(None),
        )

    def waiting_for(self, memo_key: str) -> tuple[TrialRow, ...]:
        """The waiting trials, of any sweep, that need this measurement."""
        linked = select(TrialFacetTable.trial_id).where(TrialFacetTable.memo_key == memo_key)
        return self._read(TrialTable.state == TrialState.WAITING, TrialTable.id.in_(linked))

    def by_key(self, sweep_id: int, prefix: str) -> tuple[TrialRow, ...]:
        """Trials one of whose keys (asked, resolved, effective) begins like this."""
        keys = (TrialTable.asked_key, TrialTable.resolved_key, TrialTable.effective_key)
        begins = [key.startswith(prefix, autoescape=True) for key in keys]
        return self._read(TrialTable.sweep_id == sweep_id, begins[0] | begins[1] | begins[2])

    def counts(self, sweep_id: int) -> dict[str, TrialCounts]:
        """How many trials are in each state, by rig; anchors are none."""
        query = (
            select(TrialTable.rig, TrialTable.state, func.count())
            .where(TrialTable.sweep_id == sweep_id, TrialTable.role != TrialRole.ANCHOR)
            .group_by(TrialTable.rig, TrialTable.state)
            .order_by(TrialTable.rig)
        )
        found: dict[str, dict[str, int]] = {}
        with self._store.reading() as session:
            for rig, state, count in session.execute(query):
                found.setdefault(rig, {})[state.value] = count
        return {rig: TrialCounts(**states) for rig, states in found.items()}

    def _read(self, *where: ColumnElement[bool]) -> tuple[TrialRow, ...]:
        with self._store.reading() as session:
            return read_trials(session, *where)


_PLAIN = ("engine", "model", "drafter", "kv_k", "kv_v", "ctx", "spec", "n_max")


def _unknown(trial_id: int) -> DatabaseError:
    return DatabaseError(f"there is no trial with id {trial_id}.")
