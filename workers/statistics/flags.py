"""What a reader should know about a measurement before trusting it: flags, and their words."""

from __future__ import annotations

from collections.abc import Sequence

from workers.contract.outcome import Estimate, Sample
from workers.known_bugs.load import of_flag
from workers.statistics.rate import relative_half_width

MEANINGS: dict[str, str] = {
    "single_launch": "one launch only: how far launches differ is not known",
    "no_repeats": "each prompt was timed once: how far passes differ is not known",
    "interval_wide": "the 95 % interval is wider than the recipe asked for",
    "uneven_prompts": "some prompts are missing in some launches and were left out",
    "few_chunks": "fewer than four chunks of text: small differences cannot be shown",
    "imported": "imported: somebody else measured this, on another machine",
    "drift": "the rig's speed had changed when its baseline was measured again around this time",
    "stopped_early": "measured no further: another candidate was already shown to be better",
    "answers_cut": "some answers were longer than the recipe allows, and were cut off",
    "unconfined": "generated programs ran without a sandbox",
    "single_repetition": "each program was asked for once: how far answers differ is not known",
    # Gates are named after what is right; a flag says that it was not so.
    "quiet_host": "other programs used the processors while this was measured",
    "cards_not_shared": "other programs computed on the cards while this was measured",
    "no_throttle": "the card was slowed down by heat or by its power limit",
    "kv_types_allocated": "the engine allocated other KV types than asked, or did not say which",
    "draft_kv_types_allocated": "the drafter's KV types are not those that were asked for",
    "effective_draft_length": "the engine did not say how long its drafts may be",
    "text_repetition": "the timed text goes in circles, which drafters guess easily",
    "text_after_end": "part of the timed text comes after an answer's natural end",
    "answers_not_remembered": "a repeated prompt was drafted from memory: too fast to be true",
}

FEW_CHUNKS = 4


def throughput_flags(
    samples: Sequence[Sample], tok_s: Estimate | None, precision: float
) -> tuple[str, ...]:
    """Flags of a throughput measurement; `precision` is the wanted relative half-width."""
    prompts: dict[int, set[str]] = {}
    for sample in samples:
        prompts.setdefault(sample.launch, set()).add(sample.label)
    labels = {sample.label for sample in samples}
    width = None if tok_s is None else relative_half_width(tok_s)
    checks = {
        "single_launch": len(prompts) == 1,
        "no_repeats": bool(samples) and len(labels) == len(samples),
        "interval_wide": width is not None and width > precision,
        "uneven_prompts": len({frozenset(seen) for seen in prompts.values()}) > 1,
    }
    return tuple(name for name, raised in checks.items() if raised)


def chunk_flags(chunks: Sequence[Sample]) -> tuple[str, ...]:
    """Flags of a perplexity or divergence measurement."""
    return ("few_chunks",) if len(chunks) < FEW_CHUNKS else ()


def describe(flag: str) -> str:
    """The flag in words; one that has none is shown as it is, without underscores."""
    if (bug := of_flag(flag)) is not None:
        return f"known bug of this build: {bug.title} ({bug.source})"
    return MEANINGS.get(flag, flag.replace("_", " "))
