"""Everything that is said about a sweep, front by front: the one input of pages and reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.analysis import sentences, truth
from orchestrator.analysis.classes import Classes, by_class
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.draft_length import DraftLength, smallest_lengths
from orchestrator.analysis.drift import RigDrift, drifts, sentence
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.front import Front, front_of
from orchestrator.analysis.groups import GroupKey, grouped
from orchestrator.analysis.pooling import Spreads, spreads_by_rig
from orchestrator.analysis.recommend import Pick, recommend
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.words import Namer
from search_spaces.space import Space


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """One front with what follows from it.

    `records` are all of the group (failed and ruled out ones too); `over_limit` counts complete
    ones that break a constraint or lack an objective. `headline` says what speculation did, the
    `notes` what else is worth knowing.
    """

    key: GroupKey
    title: str
    records: tuple[Measured, ...]
    front: Front
    picks: tuple[Pick, ...]
    lengths: tuple[DraftLength, ...]
    headline: str
    notes: tuple[str, ...]
    over_limit: int
    namer: Namer

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything in words, for a terminal."""
        picked = (sentences.pick(pick, self.namer) for pick in self.picks if pick.key != "draft")
        return tuple(sentence for sentence in (self.headline, *picked, *self.notes) if sentence)

    @property
    def baselines(self) -> tuple[Measured, ...]:
        """The complete baselines of the group."""
        return tuple(r for r in self.records if r.is_baseline and r.state is State.COMPLETE)


@dataclass(frozen=True, slots=True)
class Summary:
    """A whole sweep. `namer` names candidates by what differs among all of them.

    `classes` holds the records per prompt class, and is empty where all prompts are of one.
    """

    space: Space
    records: tuple[Measured, ...]
    groups: tuple[GroupSummary, ...]
    namer: Namer
    classes: Classes = field(default_factory=dict)
    drift: tuple[RigDrift, ...] = ()

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
    drift = drifts(derived)
    said: dict[str, list[str]] = defaultdict(list)
    for one in drift:
        said[one.baseline.rig].append(sentence(one))
    return Summary(
        space,
        derived,
        tuple(
            _group(key, key.title(many_ctx), members, space, spreads[key.rig], said[key.rig])
            for key, members in groups.items()
        ),
        namer,
        by_class(derived, space),
        drift,
    )


def _group(
    key: GroupKey,
    title: str,
    records: tuple[Measured, ...],
    space: Space,
    spreads: Spreads,
    drift: Sequence[str],
) -> GroupSummary:
    comparer = Comparer(records, spreads)
    able = contenders(records, space)
    front = front_of(able, space.objectives, comparer)
    picks = recommend(front, comparer)
    complete = [record for record in records if record.state is State.COMPLETE]
    best = next((pick.record for pick in picks), truth.fastest(complete))
    lengths = smallest_lengths(able, comparer)
    headline = (truth.speculation(complete, comparer), truth.acceptance(complete))
    notes = (
        sentences.front_size(front),
        sentences.undecided(front),
        truth.draft_length(lengths[0]) if lengths else None,
        *truth.kv_types(complete, comparer, best),
        truth.repeatability(spreads.get("tok_s"), key.rig),
        *drift,
        sentences.shared(records),
        sentences.counts(records),
    )
    return GroupSummary(
        key,
        title,
        records,
        front,
        picks,
        lengths,
        " ".join(sentence for sentence in headline if sentence),
        tuple(note for note in notes if note),
        len(complete) - len(able),
        Namer.of(record.candidate for record in records),
    )
