"""The first lines of a report: what it is about, and how its numbers are to be read."""

from __future__ import annotations

from db.states import SweepState
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.sentences import counts
from orchestrator.analysis.truth import NO_DIFFERENCE
from workers.statistics.comparison import SHOWN_ALPHA

SIMULATED = "**Simulated: these numbers were replayed or made up, not measured.**"


def opening(facts: Facts) -> tuple[str, ...]:
    """One sentence or two for each paragraph."""
    version = facts.sweep.fingerprint.get("orchestrate", "of a version that was not recorded")
    rigs = ", ".join(
        f"{rig.name} ({' + '.join(card.name for card in rig.cards) or rig.cpu_model})"
        for _, rig in facts.rigs
    )
    reading = (
        "Numbers stand with their 95 % interval: 46.3 (45.9 to 46.8). ±? is a number without one, "
        f"with the reason below its table. “{NO_DIFFERENCE}” is said of what a repetition could "
        f"well turn round (p above {SHOWN_ALPHA:g}, a shade stricter than the intervals). A "
        "perplexity's own interval says how much texts differ; ΔPPL, paired by chunk of text, "
        "says what a setting changes."
    )
    about = (
        f"On {rigs or 'no rig'}: {counts(facts.summary.records)} Sweep {facts.sweep.key[:8]} of "
        f"{facts.sweep.started:%Y-%m-%d}, by orchestrate {version}."
    )
    if facts.sweep.imported is not None:
        about += " It was imported: somebody else measured it, on another machine."
    if facts.sweep.state is not SweepState.FINISHED:
        about += f" It is {facts.sweep.state.value}: there is more to come."
    return (*((SIMULATED,) if facts.summary.simulated else ()), about, reading)
