"""Recipes: how each facet is measured. They are part of a memo key where they shape the number."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator

from search_spaces.metrics import Facet

DEFAULT_CORPUS = "builtin:wikitext2-64k"
PROMPT_ROOM = 2048  # tokens of a task's own text, generously

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

    def once_per_launch(self) -> ThroughputRecipe:
        """As many passes, each in a launch of its own: for drafters that remember answers."""
        passes = self.launches * self.passes
        return self.model_copy(update={"launches": passes, "passes": 1, "max_passes": 1})

    @model_validator(mode="after")
    def _passes_in_order(self) -> ThroughputRecipe:
        if self.max_passes < self.passes:
            raise ValueError("max_passes is below passes")
        return self


NEAR_FULL = "near-full"
Depth = int | float | str


def _depth(value: object) -> Depth:
    """A share of ctx below 1, a number of tokens, or `near-full`; raises ValueError."""
    if value == NEAR_FULL:
        return NEAR_FULL
    if isinstance(value, int) and not isinstance(value, bool) and (value == 0 or value >= 64):
        return value
    if isinstance(value, float) and 0 <= value < 1:
        return value or 0
    raise ValueError("a depth is a share of ctx below 1, 64 or more tokens, 0, or near-full")


class DepthRecipe(Strict):
    """Speed with the context really filled; measured in the launches of throughput, after it.

    `depths` are tokens of prompt: a share of ctx, a number of tokens, 0 (the prompt alone), or
    `near-full` (all that leaves room for the answer). `prompts` of the throughput suite each end
    such a text; `predict` tokens are generated; `passes` over all depths in each launch.
    `limit_s` is how long one request may take: a long prompt is slow on a CPU.
    """

    depths: Annotated[tuple[Annotated[Depth, PlainValidator(_depth)], ...], Field(min_length=1)] = (
        0,
        0.5,
        NEAR_FULL,
    )
    prompts: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    predict: Annotated[int, Field(strict=True, ge=2, le=65_536)] = 64
    passes: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    limit_s: Annotated[float, Field(strict=True, gt=0)] = 1800.0

    @model_validator(mode="after")
    def _depths_differ(self) -> DepthRecipe:
        if len(set(self.depths)) < len(self.depths):
            raise ValueError("a depth is listed twice")
        return self

    def tokens(self, ctx: int) -> dict[str, int]:
        """Tokens of prompt at each depth of such a context, by its name; the deepest comes last.

        A number of tokens is taken as it stands, though ctx be smaller: `room` says what fits.
        """
        made = {_name(depth): self._of(depth, ctx) for depth in self.depths}
        return dict(sorted(made.items(), key=lambda named: named[1]))

    def room(self, ctx: int) -> int:
        """The most tokens of prompt that leave room for the answer."""
        return max(0, ctx - self.predict - 1)

    def _of(self, depth: Depth, ctx: int) -> int:
        if isinstance(depth, float):
            return min(int(ctx * depth), self.room(ctx))
        return self.room(ctx) if isinstance(depth, str) else depth


def _name(depth: Depth) -> str:
    return f"{100 * depth:g}%" if isinstance(depth, float) else str(depth)


class CeilingRecipe(Strict):
    """How the longest context that works is looked for; see `orchestrator.analysis.ceiling`.

    `step` tokens is how exact the answer is. A context that fails for another reason than memory
    is tried `attempts` times. Each attempt is a launch with `requests` requests that leave room
    for `predict` tokens only; one of them may take `limit_s`. `most` tokens is the longest context
    asked for; the model's own limit where it is unset.
    """

    step: Annotated[int, Field(strict=True, ge=256, le=1_048_576)] = 1024
    attempts: Annotated[int, Field(strict=True, ge=1, le=100)] = 3
    requests: Annotated[int, Field(strict=True, ge=2, le=100)] = 2
    predict: Annotated[int, Field(strict=True, ge=2, le=65_536)] = 16
    limit_s: Annotated[float, Field(strict=True, gt=0)] = 1800.0
    most: Annotated[int, Field(strict=True, ge=256, le=16_777_216)] | None = None


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
    """Memory after load and at its peak, over the throughput run and the deep requests."""

    interval_ms: Annotated[int, Field(strict=True, ge=10, le=10_000)] = 100


class QualityRecipe(Strict):
    """Programs that the model writes, scored 0 to 3 by what they do.

    `tasks` are names or groups of builtin tasks, or files; each is asked `repetitions` times, with
    seeds from `seed` on, for at most `predict` tokens (thoughts included). At temperature 0 every
    repetition is the same text, so there is one. `allow_unconfined` runs programs with the user's
    own rights where there is no sandbox; otherwise nothing is run there.
    """

    tasks: Annotated[tuple[Text, ...], Field(min_length=1)] = ("functions", "tetris")
    repetitions: Annotated[int, Field(strict=True, ge=1, le=1000)] = 3
    predict: Annotated[int, Field(strict=True, ge=16, le=262_144)] = 6144
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.6
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.95
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**31)] = 1
    allow_unconfined: Annotated[bool, Field(strict=True)] = False

    def window(self, ctx: int) -> int:
        """The part of a context capacity that a request can use, in tokens."""
        return min(ctx, self.predict + PROMPT_ROOM)

    @model_validator(mode="after")
    def _repetitions_differ(self) -> QualityRecipe:
        if self.temperature == 0 and self.repetitions > 1:
            raise ValueError("at temperature 0 every repetition is the same: set repetitions to 1")
        return self


class Recipe(Strict):
    """What `measure:` says. A facet that an objective or constraint needs is measured anyway."""

    throughput: ThroughputRecipe = ThroughputRecipe()
    perplexity: PerplexityRecipe = PerplexityRecipe()
    divergence: DivergenceRecipe = DivergenceRecipe()
    memory: MemoryRecipe = MemoryRecipe()
    depth: DepthRecipe = DepthRecipe()
    ceiling: CeilingRecipe = CeilingRecipe()
    quality: QualityRecipe = QualityRecipe()

    def also(self, facet: Facet) -> Recipe:
        """The same with a facet named: what a space leaves out is then measured as well."""
        named = {name.value: getattr(self, name.value) for name in (*self.named(), facet)}
        return Recipe(**named)

    def named(self) -> frozenset[Facet]:
        """The facets that the space itself named."""
        return frozenset(Facet(name) for name in self.model_fields_set)
