"""Memo keys: made of what can change a facet's numbers, and of nothing else."""

from __future__ import annotations

from dataclasses import replace

from search_spaces.candidate import digest
from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe
from search_spaces.variants import flags_of
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate


def task_name(reference: str) -> str:
    """A task's name among `contents`: a suite may have the same one."""
    return f"task:{reference}"


def memo_key(
    facet: Facet,
    resolved: ResolvedCandidate,
    rig: RigReport,
    recipe: Recipe,
    contents: dict[str, str],
    *,
    deep: bool = False,
) -> str:
    """The key under which a facet of a candidate is measured once.

    `contents` maps the recipe's text names (suite, corpus, tasks) to their content hashes. How
    precisely something was measured (passes, budget) is not part of a key: more repetitions add to
    it. Quality is that of a model with its K and V types, measured without speculation: a draft
    does not change which tokens a target draws, but for what its kernels do at other batch sizes,
    and the batch sizes are in the key. Of the context only what a request can use is.
    `deep` says that depth is measured too: the memory peak then covers the deep requests.
    """
    candidate = resolved.candidate
    match facet:
        case Facet.PERPLEXITY | Facet.DIVERGENCE:
            how = recipe.perplexity if facet is Facet.PERPLEXITY else recipe.divergence
            parts: list[object] = [
                [resolved.logits, rig.kind, resolved.model, candidate.kv_k, candidate.kv_v],
                [contents[how.corpus], how.n_ctx, how.chunks, how.batch, how.ubatch],
            ]
            if facet is Facet.DIVERGENCE:
                parts.append(recipe.divergence.reference)
        case Facet.THROUGHPUT | Facet.MEMORY:
            run = recipe.throughput
            parts = [
                [resolved.key, rig.hardware_key],
                [contents[run.suite], run.prompts, run.predict, run.fill],
            ]
            if facet is Facet.MEMORY and deep:
                parts.append(_depth(recipe, resolved))
        case Facet.DEPTH:
            suite = contents[recipe.throughput.suite]
            parts = [[resolved.key, rig.hardware_key], suite, _depth(recipe, resolved)]
        case Facet.CEILING:
            limit = recipe.ceiling
            parts = [attempts_key(resolved, rig, recipe), limit.step, limit.attempts, limit.most]
        case Facet.QUALITY:
            asked, flags = recipe.quality, flags_of(candidate.flags) or None
            parts = [
                [resolved.engine, rig.kind, resolved.model, candidate.kv_k, candidate.kv_v],
                [candidate.batch, candidate.ubatch, flags, asked.window(candidate.ctx)],
                sorted(contents[task_name(task)] for task in asked.tasks),
                [asked.predict, asked.temperature, asked.top_p, asked.seed],
            ]
    return digest([facet, parts], length=24)


def attempts_key(resolved: ResolvedCandidate, rig: RigReport, recipe: Recipe) -> str:
    """The key under which every attempt at a candidate's context ceiling is found.

    The context is no part of it, nor how the ceiling is looked for: attempts serve any search.
    """
    anywhere = replace(resolved, candidate=replace(resolved.candidate, ctx=0))
    asked = recipe.ceiling
    parts = [anywhere.key, rig.hardware_key, asked.requests, asked.predict]
    return digest(["ceiling attempts", parts], length=24)


def _depth(recipe: Recipe, resolved: ResolvedCandidate) -> list[object]:
    how = recipe.depth
    return [how.prompts, how.predict, how.tokens(resolved.candidate.ctx)]


def again(key: str, occasion: str) -> str:
    """The key of a measurement that is made although `key` is measured.

    It stands for itself: neither does it replace what is known under `key`, nor add to it.
    `occasion` must be unique (a sweep, a rig, a number).
    """
    return digest([key, occasion], length=24)
