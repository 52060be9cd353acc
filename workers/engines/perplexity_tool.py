"""A build's own llama-perplexity: perplexity and KL divergence with its own kernels."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from search_spaces.candidate import NO_SPEC, Candidate, digest
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.contract.reports import RigReport
from workers.dialects.arguments import scoring_arguments
from workers.dialects.dialect import Dialect
from workers.engines.base import Assets, EngineError
from workers.engines.diagnose import exited
from workers.engines.files import check_files
from workers.engines.health import LoadLimit
from workers.engines.kld_base import KldBase
from workers.engines.log import tail
from workers.engines.perplexity_output import (
    divergence_samples,
    perplexity_samples,
    scored_tokens,
)
from workers.engines.tool import run_tool

# Longest silence: a pass of a large model that lies half in host memory takes minutes.
_STALL_S = 1800.0
_FEWEST_TOKENS = 100  # below, the tool prints no statistics (kl_divergence in perplexity.cpp)


@dataclass(frozen=True)
class PerplexityTool:
    """The program, its build's hash and dialect."""

    program: Path
    sha256: str
    dialect: Dialect
    limit: LoadLimit

    def perplexity(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: PerplexityRecipe,
        log: Path,
    ) -> list[Sample]:
        """One sample a chunk. Raises EngineError, also for an exit status 0 without a result."""
        words = [*self._words(candidate, assets, rig, recipe), *_corpus(recipe)]
        # More decimals than the default output has; see perplexity_output.
        words += ["--ppl-output-type", "1"]
        text = self._run(words, assets, rig, log, Phase.PERPLEXITY)
        samples = perplexity_samples(text, recipe.n_ctx)
        if not samples:
            raise exited(text, 0, Phase.PERPLEXITY, gpu=bool(rig.cards))
        return samples

    def divergence(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> list[Sample]:
        """One sample a chunk; the reference pair is evaluated once for all candidates."""
        # The tool compares with as many sequences at once as it saved with only up to the
        # batch, so both run chunk by chunk: the batch moves CUDA's numbers.
        recipe = recipe.model_copy(update={"batch": min(recipe.batch, recipe.n_ctx)})
        base = KldBase.of_user().get(
            self._key(candidate, assets, rig, recipe),
            lambda part, watch: self._save(part, watch, candidate, assets, rig, recipe, log),
        )
        words = self._words(candidate, assets, rig, recipe)
        words += ["--kl-divergence", "--kl-divergence-base", str(base)]
        text = self._run(words, assets, rig, log, Phase.DIVERGENCE)
        samples = divergence_samples(text, recipe.n_ctx)
        if not samples:
            raise self._no_statistics(text, recipe, rig)
        return samples

    def _save(
        self,
        part: Path,
        watch: Callable[[], None],
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> None:
        kv_k, _, kv_v = recipe.reference.partition("/")
        reference = replace(candidate, kv_k=kv_k, kv_v=kv_v)
        words = [*self._words(reference, assets, rig, recipe), *_corpus(recipe)]
        words += ["--kl-divergence-base", str(part)]
        beside = log.with_name(f"{log.stem}-reference{log.suffix}")
        text = self._run(words, assets, rig, beside, Phase.DIVERGENCE, watch)
        if not perplexity_samples(text, recipe.n_ctx):
            raise exited(text, 0, Phase.DIVERGENCE, gpu=bool(rig.cards))

    def _words(
        self, candidate: Candidate, assets: Assets, rig: RigReport, recipe: PerplexityRecipe
    ) -> list[str]:
        # The drafter never runs here; the context is that of a chunk.
        alone = replace(
            candidate,
            spec=NO_SPEC,
            ctx=recipe.n_ctx,
            batch=recipe.batch,
            ubatch=recipe.ubatch,
        ).canonical()
        return scoring_arguments(self.dialect, alone, assets, rig.kind, rig.threads)

    def _run(
        self,
        words: list[str],
        assets: Assets,
        rig: RigReport,
        log: Path,
        phase: Phase,
        watch: Callable[[], None] | None = None,
    ) -> str:
        check_files(Assets(assets.model), phase)
        stall_s = max(_STALL_S, self.limit.seconds([assets.model]))
        return run_tool([str(self.program), *words], rig, log, stall_s, phase, watch)

    def _key(
        self, candidate: Candidate, assets: Assets, rig: RigReport, recipe: DivergenceRecipe
    ) -> str:
        from workers.models.corpus import corpus_hash
        from workers.models.hashing import content_hash

        return digest(
            [
                [self.sha256, platform.node(), rig.hardware_key, content_hash(assets.model)],
                [recipe.reference, corpus_hash(recipe.corpus), recipe.n_ctx, recipe.chunks],
                [recipe.batch, recipe.ubatch, candidate.ngl, candidate.n_cpu_moe],
                [candidate.split_mode, candidate.tensor_split, candidate.override_tensor],
            ],
            length=32,
        )

    def _no_statistics(self, text: str, recipe: DivergenceRecipe, rig: RigReport) -> EngineError:
        if (tokens := recipe.chunks * scored_tokens(recipe.n_ctx)) and tokens < _FEWEST_TOKENS:
            diagnosis = Diagnosis(
                kind=FailureKind.INVALID_CONFIG,
                evidence=f"{tokens} scored tokens give no divergence, {_FEWEST_TOKENS} are needed",
                advice="Ask for more chunks, or for longer ones.",
                deterministic=True,
            )
            return EngineError(diagnosis, Phase.DIVERGENCE, tail(text))
        return exited(text, 0, Phase.DIVERGENCE, gpu=bool(rig.cards))


def _corpus(recipe: PerplexityRecipe) -> list[str]:
    from workers.models.corpus import corpus_path

    words = ["-f", str(corpus_path(recipe.corpus))]
    return words + (["--chunks", str(recipe.chunks)] if recipe.chunks else [])
