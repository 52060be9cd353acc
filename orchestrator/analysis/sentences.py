"""The result in sentences: recommendations, the front's size, how much was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from orchestrator.analysis.front import Front
from orchestrator.analysis.objectives import is_exact
from orchestrator.analysis.recommend import Pick
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import Namer, number, quantity


def pick(one: Pick, namer: Namer) -> str:
    """A recommendation as a sentence, with its runner-up and whether the lead shows."""
    text = f"{one.title}: {namer.name(one.record.candidate)}, {balance(one.record)}"
    if one.runner_up is None:
        return f"{text}."
    lead = "" if one.shown else f" ({NO_DIFFERENCE})"
    return f"{text}; next is {namer.name(one.runner_up.candidate)}{lead}."


def balance(record: Measured) -> str:
    """The numbers of a candidate for a sentence; what equals its baseline goes without saying."""
    parts = []
    if speed := record.estimates.get("tok_s"):
        parts.append(quantity(speed, interval=False))
    if not record.is_baseline and (gain := record.value("speedup")):
        parts.append(f"{number('speedup', gain)}× the baseline")
    if (ppl := record.value("ppl")) is not None:
        change = record.value("ppl_delta_pct")
        text = f"perplexity {ppl:,.2f}"
        parts.append(text if not change else f"{text} ({number('ppl_delta_pct', change)} %)")
    elif kld := record.estimates.get("kld_mean"):
        parts.append(f"KL divergence {quantity(kld, interval=False)}")
    if score := record.estimates.get("quality_score"):
        parts.append(f"code {quantity(score, interval=False)}")
    return ", ".join(parts)


def front_size(front: Front) -> str | None:
    """How many candidates are on the front, and how many only because of noise."""
    if not front.placed:
        return None
    leaders, members = len(front.leaders), len(front.members)
    text = f"{leaders} of {_count(len(front.placed), 'candidate')} on the front"
    tied = members - leaders
    return f"{text}, {tied} more tied with it." if tied else f"{text}."


def undecided(front: Front) -> str | None:
    """How many candidates lack an interval, so that nothing can be shown about them."""
    bare = [
        place.record
        for place in front.placed
        if not place.record.simulated
        and any(
            not is_exact(metric)
            and (found := place.record.estimates.get(metric)) is not None
            and found.low is None
            for metric in front.objectives
        )
    ]
    if not bare:
        return None
    return (
        f"{_count(len(bare), 'candidate')} without an interval (a single launch, or a single "
        "chunk of text): their differences cannot be shown, however large they look."
    )


def shared(records: Sequence[Measured]) -> str | None:
    """Which equal rigs measured this together; None where one rig did."""
    rigs = sorted({record.where for record in records} | {record.rig for record in records})
    if len(rigs) == 1:
        return None
    few = rigs if len(rigs) <= 4 else [*rigs[:3], f"{len(rigs) - 3} more"]
    return f"Measured on {', '.join(few[:-1])} and {few[-1]}, which are equal and share one search."


def counts(records: Sequence[Measured]) -> str:
    """How much was measured, what failed and of what."""
    states = Counter(record.state for record in records)
    parts = [_count(states[State.COMPLETE], "candidate") + " measured"]
    if failed := states[State.FAILED]:
        kinds = Counter(
            record.failure.kind.value.replace("_", " ") if record.failure else "unknown"
            for record in records
            if record.state is State.FAILED
        )
        named = ", ".join(f"{n}× {kind}" for kind, n in kinds.most_common())
        parts.append(f"{failed} failed ({named})")
    if ruled_out := states[State.INFEASIBLE]:
        parts.append(f"{ruled_out} ruled out before launch")
    return ", ".join(parts) + "."


def _count(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")
