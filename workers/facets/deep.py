"""Speed with the context really filled: one request for each depth, prompt and pass.

An empty long context is as fast as a short one, and an engine that loads with it may still run
out of memory, or of room, once it is full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from search_spaces.recipe import DepthRecipe
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.engines.base import EngineError, RunningEngine
from workers.facets.setting import Setting
from workers.http.client import ServerClient
from workers.http.completion import Completion
from workers.statistics.depths import curve
from workers.suites.fill import filled
from workers.suites.load import Prompt

Done = tuple[int, Completion]
"""The tokens that a deep prompt is, and the answer to it."""


@dataclass(frozen=True, slots=True)
class Deep:
    """One request: `prompt.group` is the depth's name, `tokens` what the text must be read as."""

    prompt: Prompt
    tokens: int


@dataclass
class Depths:
    """What the deep requests of a job gather; `error` is what ended them for good."""

    prompts: Sequence[Prompt] = ()
    requests: list[Deep] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    error: EngineError | None = None

    def told(self) -> dict[str, float]:
        """Speed at each depth that was reached, to keep where the facet as a whole failed."""
        return {
            f"deep_{at.tokens}_{estimate.metric}": estimate.value
            for at in curve(self.samples)
            for estimate in at.estimates
            if estimate.metric in ("tok_s", "prompt_tok_s")
        }


def go_deep(
    setting: Setting, depths: Depths, running: RunningEngine, client: ServerClient, launch: int
) -> Iterator[Done]:
    """Every deep request of one launch, the deepest last, each noted in `depths`.

    Raises EngineError that names the depth, SuiteError for a prompt longer than its depth.
    """
    recipe, ctx = setting.job.recipe.depth, setting.job.resolved.candidate.ctx
    with setting.watching(running, Phase.MEASURE, recipe.limit_s):
        depths.requests = depths.requests or requests(client, depths.prompts, ctx, recipe)
    for repeat in range(recipe.passes):
        for request in depths.requests:
            setting.check(Phase.MEASURE)
            try:
                with setting.watching(running, Phase.MEASURE, recipe.limit_s):
                    done = _ask(client, request, recipe)
            except EngineError as error:
                raise _at(request, error) from None
            values = done.values() | {"depth": float(request.tokens)}
            prompt = request.prompt
            depths.samples.append(Sample(prompt.id, values, launch, repeat, prompt.group))
            yield request.tokens, done


def requests(
    client: ServerClient, prompts: Sequence[Prompt], ctx: int, recipe: DepthRecipe
) -> list[Deep]:
    """One pass, counted in the engine's own tokens.

    Each depth has a text of its own, so that nothing remembered of a shallower one helps. Raises
    EngineError for a depth that leaves no room for the answer.
    """
    made = []
    for seed, (depth, tokens) in enumerate(recipe.tokens(ctx).items()):
        if tokens > recipe.room(ctx):
            raise _overflow(
                f"{tokens} tokens of prompt and {recipe.predict} more in a ctx of {ctx}"
            )
        for prompt in prompts:
            text = filled(prompt, tokens, client.count_tokens, seed).text if tokens else prompt.text
            named = Prompt(f"{prompt.id}@{depth}", depth, text)
            made.append(Deep(named, client.count_tokens(text)))
    return made


def _ask(client: ServerClient, request: Deep, recipe: DepthRecipe) -> Completion:
    done = client.completion(request.prompt.text, recipe.predict, timeout_s=recipe.limit_s)
    if done.predicted_n < recipe.predict:
        raise _overflow(f"the answer ended after {done.predicted_n} of {recipe.predict} tokens")
    return done


def _overflow(evidence: str) -> EngineError:
    advice = "Raise ctx, or ask for less depth."
    return EngineError(
        Diagnosis(FailureKind.CONTEXT_OVERFLOW, evidence, advice, deterministic=True), Phase.MEASURE
    )


def _at(request: Deep, error: EngineError) -> EngineError:
    """The same error with the depth in its evidence."""
    where = f"at depth {request.prompt.group} ({request.tokens} tokens of prompt)"
    diagnosis = replace(error.diagnosis, evidence=f"{error.diagnosis.evidence} {where}")
    return EngineError(diagnosis, error.phase, error.log_tail)
