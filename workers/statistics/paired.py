"""Comparisons of two candidates on what they share: prompts, launches' rig, chunks of text.

Bare intervals answer "how fast is it on this rig"; they would call most differences ties. Here
the prompts (or chunks) are the same on both sides, so what they contribute cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from search_spaces.metrics import METRICS, Direction
from workers.contract.outcome import Sample
from workers.statistics.chunks import per_token
from workers.statistics.comparison import Comparison, Scale, compare_effect
from workers.statistics.launches import Launches, by_launch, prompts_of
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread, moderate

# On CUDA the batch size alone moves a perplexity by this share of it (measured on an H200):
# a smaller difference between two configurations says nothing about the configurations.
CUDA_PPL_FLOOR = 0.0005


def compare_throughput(
    a: Sequence[Sample],
    b: Sequence[Sample],
    metric: str = "tok_s",
    spread: Spread | None = None,
) -> Comparison:
    """`a` against `b` over their common prompts: a ratio (a difference for acceptance)."""
    ratio = RATIOS[metric]
    common = prompts_of(a, ratio) & prompts_of(b, ratio)
    return compare_launches(by_launch(a, ratio, common), by_launch(b, ratio, common), spread)


def compare_launches(
    a: Launches | None, b: Launches | None, spread: Spread | None = None
) -> Comparison:
    """The same from launches that were summarised over the same prompts.

    Each side's launch variance is its own, moderated by the rig's pool where given; degrees of
    freedom after Welch and Satterthwaite. Raises ValueError when the prompts differ.
    """
    if a is None or b is None:
        raise ValueError("the two sides have no prompt in common")
    if a.prompts != b.prompts or a.ratio != b.ratio:
        raise ValueError("the two sides were summarised over different prompts")
    ratio = a.ratio
    effect = math.log(a.total / b.total) if ratio.relative else a.total - b.total
    sides = [(moderate(side.scores, spread), len(side.values)) for side in (a, b)]
    scale = Scale.RATIO if ratio.relative else Scale.DIFFERENCE
    direction = METRICS[ratio.metric].direction
    if any(side.df <= 0 for side, _ in sides):
        note = "a single launch cannot show how far launches differ"
        return compare_effect(
            ratio.metric, effect, None, 0.0, scale=scale, direction=direction, note=note
        )
    parts = [(side.variance / launches, side.df) for side, launches in sides]
    variance = sum(part for part, _ in parts)
    freedom = sum(part**2 / df for part, df in parts)
    df = variance**2 / freedom if freedom > 0 else sum(df for _, df in parts)
    if spread is not None:  # both sides lean on one pool: its freedom counts once
        df = min(df, spread.trusted_df + sum(len(side.values) - 1 for side in (a, b)))
    return compare_effect(
        ratio.metric, effect, math.sqrt(variance), df, scale=scale, direction=direction
    )


def compare_perplexity(a: Sequence[Sample], b: Sequence[Sample], floor: float = 0.0) -> Comparison:
    """Change of perplexity from `b` to `a` in per cent, paired by chunk.

    The effect is the mean over tokens of nll_a - nll_b (nats); its error comes from how it
    varies between chunks (t with chunks - 1); the perplexity changes by exp(effect) - 1.
    `floor` is a share (0.0005 = 0.05 %): smaller differences are ties.
    What it assumes: chunks are independent pieces of the kind of text that matters.
    """
    return _compare_chunks("ppl", "nll", a, b, Scale.PERCENT, floor)


def compare_divergence(a: Sequence[Sample], b: Sequence[Sample], floor: float = 0.0) -> Comparison:
    """Difference of mean KL divergence (nats per token), paired by chunk."""
    return _compare_chunks("kld_mean", "kld", a, b, Scale.DIFFERENCE, floor)


def _compare_chunks(
    metric: str,
    key: str,
    a: Sequence[Sample],
    b: Sequence[Sample],
    scale: Scale,
    floor: float,
) -> Comparison:
    # By label: a chunk that was measured twice is still one piece of text.
    ours = {sample.label: sample for sample in a}
    theirs = {sample.label: sample for sample in b}
    pairs = [(ours[label], theirs[label]) for label in ours if label in theirs]
    if not pairs:
        raise ValueError("the two sides have no chunk in common")
    tokens = [mine.values["tokens"] for mine, _ in pairs]
    if any(mine.values["tokens"] != other.values["tokens"] for mine, other in pairs):
        raise ValueError("the same chunk has another number of tokens on the other side")
    differences = [mine.values[key] - other.values[key] for mine, other in pairs]
    effect, se, df = per_token(differences, tokens)
    note = "" if se is not None else "one chunk cannot show how far chunks differ"
    return compare_effect(
        metric, effect, se, df, scale=scale, direction=Direction.MINIMIZE, floor=floor, note=note
    )
