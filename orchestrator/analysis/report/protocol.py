"""The recipe in words, with the hashes of the texts it uses."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.report.facts import Facts
from search_spaces.candidate import digest
from search_spaces.metrics import Facet
from search_spaces.recipe import PerplexityRecipe, ThroughputRecipe


def protocol(facts: Facts) -> Iterator[tuple[str, str]]:
    """What and value: the hash of the recipe in use, and one row for each measured facet."""
    recipe, facets = facts.sweep.space.measure, facts.sweep.space.facets
    used = recipe.model_dump(mode="json", include={str(facet) for facet in facets})
    yield "protocol", digest(used)
    run = recipe.throughput
    filled = f", context filled to {100 * run.fill:.0f} %" if run.fill else ""
    yield (
        "speed",
        f"suite {run.suite} ({_hash(facts, run.suite)}), {run.prompts or 'all'} prompts of "
        f"{run.predict} tokens, {run.warmups} warm-ups, at least {run.launches} launches of "
        f"{_passes(run)} passes, until {100 * run.precision:g} % or "
        f"{run.budget_s:g} s{filled}; temperature 0, cold prompt cache",
    )
    if Facet.DEPTH in facets:
        deep = recipe.depth
        depths = ", ".join(str(depth) for depth in deep.depths)
        yield (
            "depth",
            f"{depths}; at each {deep.prompts} × {deep.predict} tokens, {deep.passes} × a launch",
        )
    if Facet.QUALITY in facets:
        made = recipe.quality
        yield (
            "programs",
            f"tasks {', '.join(made.tasks)}, {made.repetitions} times each, temperature "
            f"{made.temperature:g}, top-p {made.top_p:g}, seeds from {made.seed}, at most "
            f"{made.predict} tokens",
        )
    if Facet.PERPLEXITY in facets:
        yield "perplexity", _text(facts, recipe.perplexity)
    if Facet.DIVERGENCE in facets:
        how = recipe.divergence
        yield "KL divergence", f"to K/V {how.reference}; {_text(facts, how)}"
    yield "intervals", "95 %; unit of repetition: the launch, its spread pooled over the rig"


def _passes(run: ThroughputRecipe) -> str:
    return f"{run.passes}" if run.passes == run.max_passes else f"{run.passes} to {run.max_passes}"


def _text(facts: Facts, how: PerplexityRecipe) -> str:
    chunks = f"first {how.chunks} chunks" if how.chunks else "all chunks"
    return (
        f"{how.corpus} ({_hash(facts, how.corpus)}), {chunks} of {how.n_ctx} tokens, "
        f"-b {how.batch} -ub {how.ubatch}"
    )


def _hash(facts: Facts, text: str) -> str:
    found = (host.contents[text] for host, _ in facts.rigs if text in host.contents)
    return next(found, "hash not recorded")
