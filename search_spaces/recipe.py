"""Recipes: how each facet is measured. They are part of a memo key where they shape the number."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from search_spaces.metrics import Facet

DEFAULT_CORPUS = "builtin:wikitext2-64k"

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(strict=True, ge=1, le=100_000)]


class Strict(BaseModel):
    """Frozen, and unknown keys are errors: a misspelt setting must never be ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ThroughputRecipe(Strict):
    """Passes over a fixed suite, over several launches, until precise enough.

    `predict` tokens per request, `prompts` of the suite used (all when unset), at least
    `launches` x `passes` passes, at most `max_passes` a launch; `precision` is the wanted
    half-width of the 95 % interval as a share of the rate; `budget_s` the seconds after which
    no further pass starts; `fill` the share of ctx filled with text before timing.
    """

    suite: Text = "coding"
    prompts: Count | None = None
    predict: Annotated[int, Field(strict=True, ge=2, le=65_536)] = 128
    warmups: Annotated[int, Field(strict=True, ge=2, le=100)] = 2
    launches: Annotated[int, Field(strict=True, ge=1, le=100)] = 2
    passes: Count = 2
    max_passes: Count = 8
    precision: Annotated[float, Field(strict=True, gt=0, lt=1)] = 0.02
    budget_s: Annotated[float, Field(strict=True, gt=0)] = 120.0
    fill: Annotated[float, Field(strict=True, ge=0, lt=1)] = 0.0

    @model_validator(mode="after")
    def _passes_in_order(self) -> ThroughputRecipe:
        if self.max_passes < self.passes:
            raise ValueError("max_passes is below passes")
        return self


class PerplexityRecipe(Strict):
    """llama-perplexity's method: chunks of n_ctx tokens, the second half of each scored.

    `chunks` 0 means the whole corpus. Batch sizes are part of the protocol: on CUDA the
    perplexity itself moves with them.
    """

    corpus: Text = DEFAULT_CORPUS
    n_ctx: Annotated[int, Field(strict=True, ge=8, le=1_048_576)] = 512
    chunks: Annotated[int, Field(strict=True, ge=0, le=1_000_000)] = 8
    batch: Count = 2048
    ubatch: Count = 512

    @model_validator(mode="after")
    def _batch_fits(self) -> PerplexityRecipe:
        if self.batch >= self.n_ctx and self.batch % self.n_ctx:
            raise ValueError("batch must be below n_ctx or a multiple of it")
        return self


class DivergenceRecipe(PerplexityRecipe):
    """KL divergence to the same model with the `reference` K/V pair, on the same chunks."""

    reference: str = "f16/f16"


class MemoryRecipe(Strict):
    """Memory after load and at its peak; measured in the throughput run."""

    interval_ms: Annotated[int, Field(strict=True, ge=10, le=10_000)] = 100


class Recipe(Strict):
    """What `measure:` says. A facet that an objective or constraint needs is measured anyway."""

    throughput: ThroughputRecipe = ThroughputRecipe()
    perplexity: PerplexityRecipe = PerplexityRecipe()
    divergence: DivergenceRecipe = DivergenceRecipe()
    memory: MemoryRecipe = MemoryRecipe()

    def named(self) -> frozenset[Facet]:
        """The facets that the space itself named."""
        return frozenset(Facet(name) for name in self.model_fields_set)
