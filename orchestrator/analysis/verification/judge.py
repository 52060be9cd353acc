"""All claims of a verification, judged together: they share one level."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.pooling import spreads, spreads_by_rig
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.verification import agrees, faster, on_front
from orchestrator.analysis.verification.base import Case, ClaimKind, Finding
from orchestrator.analysis.words import Namer
from search_spaces.space import Space

KINDS: tuple[ClaimKind, ...] = (faster.CLAIM, on_front.CLAIM, agrees.CLAIM)
ALPHA = 0.05  # shared among the claims of a run: a true one is refuted in at most so many runs


def judge(
    first: Sequence[Measured],
    fresh: Sequence[Measured],
    members: Collection[int],
    space: Space,
) -> tuple[ClaimRow, ...]:
    """What became of each claim.

    `first` is all that the sweep measured, `fresh` the candidates measured again under the same
    trial ids (failed ones as such), `members` the trials that the sweep had on a front.
    """
    cases = _cases(first, derive(fresh, space), members, space)
    pairs = [(case, kind) for case in cases for kind in KINDS if kind.made(case)]
    level = ALPHA / max(1, len(pairs))
    return tuple(_row(replace(case, level=level), kind) for case, kind in pairs)


def _cases(
    first: Sequence[Measured], fresh: Sequence[Measured], members: Collection[int], space: Space
) -> list[Case]:
    before: Mapping[int, Measured] = {record.trial_id: record for record in first}
    known = spreads_by_rig(fresh)
    namer = Namer.of(record.candidate for record in fresh)
    cases = []
    for record in fresh:
        here = [other for other in fresh if other.rig == record.rig]
        # Launches of one candidate that were minutes apart, and those one after the other.
        both = [*here, *(r for r in first if r.rig == record.rig)]
        complete = [r for r in here if r.state is State.COMPLETE]
        same_ctx = "ctx" in space.objectives
        cases.append(
            Case(
                before[record.trial_id],
                record,
                next((r for r in complete if r.trial_id == record.baseline_id), None),
                tuple(
                    r
                    for r in complete
                    if r is not record and (same_ctx or r.candidate.ctx == record.candidate.ctx)
                ),
                space.objectives,
                Comparer(here, known[record.rig]),
                spreads(both).get("tok_s"),
                record.trial_id in members,
                namer,
            )
        )
    return cases


def _row(case: Case, kind: ClaimKind) -> ClaimRow:
    if case.fresh.state is State.COMPLETE:
        found = kind.judge(case)
    else:
        why = case.fresh.failure.evidence if case.fresh.failure else "it was not measured"
        found = Finding(ClaimVerdict.REFUTED, f"it could not be measured again: {why}")
    return ClaimRow(
        case.fresh.rig,
        case.fresh.trial_id,
        kind.name,
        found.verdict,
        found.sentence,
        found.claimed,
        found.value,
        found.low,
        found.high,
    )
