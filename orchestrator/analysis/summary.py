"""Everything that is said about a sweep, front by front: the one input of pages and reports."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.analysis import truth
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.draft_length import DraftLength, smallest_lengths
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.front import Front, front_of
from orchestrator.analysis.groups import GroupKey, grouped
from orchestrator.analysis.pooling import Spreads, spreads_by_rig
from orchestrator.analysis.recommend import Pick, recommend
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.words import Namer, quantity
from search_spaces.space import Space


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """One front with what follows from it.

    `records` are all of the group (failed and ruled out ones too); `over_limit` counts complete
    ones that break a constraint or lack an objective.
    """

    key: GroupKey
    title: str
    records: tuple[Measured, ...]
    front: Front
    picks: tuple[Pick, ...]
    lengths: tuple[DraftLength, ...]
    sentences: tuple[str, ...]
    over_limit: int

    @property
    def baselines(self) -> tuple[Measured, ...]:
        """The complete baselines of the group."""
        return tuple(r for r in self.records if r.is_baseline and r.state is State.COMPLETE)


@dataclass(frozen=True, slots=True)
class Summary:
    """A whole sweep. `namer` names candidates by what differs among them."""

    space: Space
    records: tuple[Measured, ...]
    groups: tuple[GroupSummary, ...]
    namer: Namer

    @property
    def title(self) -> str:
        """The space's title, or its name."""
        return self.space.title or self.space.name

    @property
    def simulated(self) -> bool:
        """True when any number was replayed instead of measured."""
        return any(record.simulated for record in self.records)


def summarise(records: Sequence[Measured], space: Space) -> Summary:
    """Fronts, picks and sentences for each group of records.

    Records that do not know their baselines yet are derived first.
    """
    known = any(record.baseline_id is not None for record in records)
    derived = tuple(records) if known else derive(records, space)
    spreads = spreads_by_rig(derived)
    groups = grouped(derived, space.objectives)
    many_ctx = len({key.ctx for key in groups}) > 1
    namer = Namer.of(record.candidate for record in derived)
    return Summary(
        space,
        derived,
        tuple(
            _group(key, key.title(many_ctx), members, space, spreads[key.rig], namer)
            for key, members in groups.items()
        ),
        namer,
    )


def _group(
    key: GroupKey,
    title: str,
    records: tuple[Measured, ...],
    space: Space,
    spreads: Spreads,
    namer: Namer,
) -> GroupSummary:
    comparer = Comparer(records, spreads)
    able = contenders(records, space)
    front = front_of(able, space.objectives, comparer)
    picks = recommend(front, comparer)
    complete = [record for record in records if record.state is State.COMPLETE]
    said = [
        truth.speculation(complete, comparer),
        truth.acceptance(complete),
        *(_about(pick, namer) for pick in picks if pick.key in ("best", "fastest", "finest")),
        *truth.kv_types(complete, comparer),
        _repeatability(spreads, key.rig),
        truth.counts(records),
    ]
    return GroupSummary(
        key,
        title,
        records,
        front,
        picks,
        smallest_lengths(able, comparer),
        tuple(sentence for sentence in said if sentence),
        len(complete) - len(able),
    )


def _about(pick: Pick, namer: Namer) -> str:
    """A pick as a sentence, with its runner-up and whether the lead shows."""
    text = f"{pick.title}: {namer.name(pick.record.candidate)}, {truth.balance(pick.record)}"
    if pick.runner_up is None:
        return f"{text}."
    lead = "" if pick.shown else f" ({truth.NO_DIFFERENCE})"
    return f"{text}; next is {namer.name(pick.runner_up.candidate)}{lead}."


def _repeatability(spreads: Spreads, rig: str) -> str | None:
    """How far launches of one configuration differ; it limits what any comparison can show."""
    spread = spreads.get("tok_s")
    if spread is None:
        return None
    share = 100 * math.sqrt(spread.variance)
    return f"Launches of one configuration differ by {share:.1f} % (standard deviation) on {rig}."


def in_words(record: Measured, metrics: Sequence[str]) -> str:
    """Values with intervals, for a hover text or a stamp."""
    return ", ".join(
        f"{metric} {quantity(record.estimates[metric])}"
        for metric in metrics
        if metric in record.estimates
    )
