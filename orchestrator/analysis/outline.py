"""Every ended trial of a very large sweep without its raw samples, kept up to date.

What refers to a baseline is there as a bare ratio of the stored estimates: no interval, because
pairing by prompt and by chunk needs samples.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from db.database import Database
from db.outline_rows import TrialOutline
from db.rows import SweepRow
from orchestrator.analysis.collect import STATES, hardware_of
from orchestrator.analysis.records import Measured, Role, State
from search_spaces.candidate import Candidate
from search_spaces.parameters import PAIRS
from search_spaces.space import Space
from search_spaces.walk import baseline_of
from workers.contract.outcome import Estimate
from workers.contract.reports import HostReport, RigKind

_OVER_BASELINE = {"speedup": "tok_s", "ppl_delta_pct": "ppl"}


@dataclass(frozen=True, slots=True)
class Outline:
    """Records by trial id, and when the newest of them ended (None before the first)."""

    records: Mapping[int, Measured]
    until: datetime | None = None


def outline(database: Database, sweep: SweepRow, before: Outline | None = None) -> Outline:
    """The outline now. With the one `before`, only what became known since is read."""
    with _no_collection():
        known = dict(before.records) if before else {}
        until = before.until if before else None
        hosts = database.hosts.of(sweep.id)
        rows = database.outlines(sweep.id, until)
        known.update((row.id, _record(row, hosts)) for row in rows)
        relative = _against_baselines(known, [row.id for row in rows], sweep.space)
        ended = [row.ended for row in rows if row.ended is not None]
        return Outline(known | relative, max(ended, default=until))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Millions of small values without a circle among them are not worth looking through."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _record(row: TrialOutline, hosts: Sequence[HostReport]) -> Measured:
    hardware = hardware_of(row.rig, hosts)
    return Measured(
        trial_id=row.id,
        rig=row.rig,
        candidate=row.candidate,
        state=STATES[row.state],
        role=Role(row.role.value),
        number=row.number,
        rig_kind=RigKind.CPU if hardware is None else hardware.kind,
        hardware=hardware,
        estimates=row.estimates,
        failure=row.failure,
        simulated=row.simulated,
    )


def _against_baselines(
    known: Mapping[int, Measured], fresh: Sequence[int], space: Space
) -> dict[int, Measured]:
    """The fresh records (all of them when a baseline is fresh) with speed-up and change."""
    templates = _Templates(space)
    found: dict[tuple[str, Candidate], Measured] = {}
    for record in known.values():
        template = templates.of(record.candidate)
        if record.state is State.COMPLETE and _is(record.candidate, template):
            found.setdefault((record.rig, template), record)
    new = set(fresh)
    anew = any(record.trial_id in new for record in found.values())
    return {
        record.trial_id: _relative(record, base)
        for record in (known.values() if anew else (known[i] for i in fresh))
        if record.state is State.COMPLETE
        and (base := found.get((record.rig, templates.of(record.candidate)))) is not None
    }


def _is(candidate: Candidate, base: Candidate) -> bool:
    # The two cheap comparisons settle almost every case.
    return (
        candidate.spec == base.spec
        and candidate.kv_k == base.kv_k
        and candidate.canonical() == base
    )


def _relative(record: Measured, base: Measured) -> Measured:
    made = dict(record.estimates)
    for metric, of in _OVER_BASELINE.items():
        mine, theirs = record.estimates.get(of), base.estimates.get(of)
        if mine and theirs and theirs.value:
            ratio = mine.value / theirs.value
            value = ratio if metric == "speedup" else 100 * (ratio - 1)
            made[metric] = Estimate(metric, value, n=mine.n)
    return replace(record, estimates=made, baseline_id=base.trial_id)


class _Templates:
    """Baselines of candidates: one is made for each combination of what the space says `per`."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._per = tuple(p for name in space.baseline.per for p in PAIRS.get(name, (name,)))
        self._known: dict[tuple[object, ...], Candidate] = {}

    def of(self, candidate: Candidate) -> Candidate:
        key = tuple(getattr(candidate, name, None) for name in self._per)
        if key not in self._known:
            self._known[key] = baseline_of(self._space, candidate).canonical()
        return self._known[key]
