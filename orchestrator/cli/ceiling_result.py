"""What a search for ceilings found: a table and a sentence for each, or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from orchestrator.analysis.ceiling.words import sentence
from orchestrator.analysis.words import Namer
from orchestrator.cli.tables import console, show, table

if TYPE_CHECKING:
    from orchestrator.sweeping.ceiling.run import Found


def print_result(made: Sequence[Found], as_json: bool) -> None:
    """On standard output."""
    if as_json:
        print(json.dumps({"ceilings": [_as_json(one) for one in made]}, indent=2))
        return
    out = console()
    namer = Namer.of(one.entry.candidate for one in made)
    rows = [
        [
            one.entry.rig,
            namer.name(one.entry.candidate),
            f"{one.verdict.ctx_max:,}" if one.verdict.ctx_max else "none",
            str(one.verdict.limit),
            str(one.launches),
            str(one.known),
        ]
        for one in made
    ]
    heads = ["rig", "candidate", ">longest ctx", "limit", ">launches", ">known before"]
    out.print()
    show(out, table("Context ceilings", heads, rows))
    out.print()
    for one in made:
        text = f"{one.entry.rig} · {namer.name(one.entry.candidate)}: {sentence(one.verdict)}"
        out.print(text, soft_wrap=True, markup=False, highlight=False)


def _as_json(one: Found) -> dict[str, object]:
    entry, verdict = one.entry, one.verdict
    return {
        "rig": entry.rig,
        "candidate": entry.candidate.as_dict(),
        "ctx_max": verdict.ctx_max,
        "limit": verdict.limit.name.lower(),
        "finished": verdict.finished,
        "step": entry.grid.step,
        "model_limit": entry.model_limit,
        "predicted": entry.guess,
        "above": verdict.above,
        "above_passed": verdict.passed,
        "above_tries": verdict.tries,
        "evidence": verdict.failure.evidence if verdict.failure else None,
        "phase": verdict.failure.phase if verdict.failure else None,
        "advice": verdict.failure.advice if verdict.failure else None,
        "sentence": sentence(verdict),
        "launches": one.launches,
        "known_before": one.known,
        "attempts": [
            {"ctx": a.ctx, "passed": a.passed, "cause": a.cause, "evidence": a.evidence}
            for a in one.attempts
        ],
    }
