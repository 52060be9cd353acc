"""Spaces that the tests of sweeping search."""

from __future__ import annotations

from search_spaces.load import loads
from search_spaces.space import Space

MEASURE = """
measure:
  throughput: {suite: coding, prompts: 3, predict: 32, launches: 2, passes: 2, max_passes: 2}
  perplexity: {corpus: wiki, n_ctx: 64, chunks: 4, batch: 64, ubatch: 64}
"""


def make_space(
    parameters: str = "kv: [f16/f16, q8_0/q8_0], spec: [none, draft-dflash], n_max: [2, 4]",
    *,
    fixed: str = "model: small, drafter: draft",
    objectives: str = "{tok_s: maximize, ppl: minimize}",
    constraints: str = "[]",
    baseline: str = "{fix: {spec: none, kv: f16/f16}, per: [rig, model]}",
    forbid: str = "[]",
    trials: int = 40,
    name: str = "kv",
    measure: str = MEASURE,
    drift: str = "off",
) -> Space:
    """Six candidates by default: two KV pairs without drafting, and drafting 2 or 4 tokens."""
    return loads(
        f"name: {name}\nfixed: {{{fixed}}}\nparameters: {{{parameters}}}\n"
        f"objectives: {objectives}\nconstraints: {constraints}\nbaseline: {baseline}\n"
        f"forbid: {forbid}\nbudget: {{trials: {trials}}}\ndrift: {drift}\n{measure}"
    )


LARGE = (
    "model: [small, big, huge], kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q4_0/q4_0], "
    "spec: [none, draft-dflash], n_max: {min: 1, max: 7}"
)  # 96 candidates


def large_space(trials: int = 16, parameters: str = LARGE, **how: str) -> Space:
    """A space that a budget cannot exhaust, so that the sampler has to choose."""
    return make_space(parameters, fixed="drafter: draft", trials=trials, **how)
