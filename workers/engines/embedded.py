"""The embedded engine: prebuilt wheels, no compiler, no binary to find.

Two builds: xllamacpp serves (a whole llama-server in a child process), llama-cpp-python gives
the logits for perplexity and divergence. A start takes about 0.1 s more than a llama-server's
(0.45 s against 0.35 s for a 135M model that lies in the page cache): Python, twice.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path

from search_spaces.candidate import Candidate
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from search_spaces.variants import flags_of
from workers.contract.failure import Phase
from workers.contract.outcome import Sample
from workers.contract.reports import EngineReport, RigReport
from workers.engines.base import Assets, EngineError, RunningEngine
from workers.engines.diagnose import missing, no_drafter
from workers.engines.embedded_probe import probe
from workers.engines.embedded_settings import EmbeddedSettings
from workers.engines.files import check_files
from workers.engines.health import LoadLimit
from workers.engines.launch import launched

# The environment of a child is scrubbed; where this project lies must survive that.
_PYTHON_PATH = {"PYTHONPATH": str(Path(__file__).parents[2])}
CHILD = (sys.executable, "-P", "-m", "workers.engines.embedded_child")

# Settings of a candidate that in-process parameters have no counterpart for.
_NOT_HERE = (
    "controller",
    "draft_device",
    "flags",
    "n_cpu_moe",
    "override_tensor",
    "split_mode",
    "tensor_split",
)


class EmbeddedEngine:
    """See `workers.engines.base.Engine`. `verbosity` 4 logs KV types and buffer sizes."""

    kind = "embedded"

    def __init__(self, name: str, limit: LoadLimit | None = None, verbosity: int = 4) -> None:
        self.name = name
        self._limit = limit or LoadLimit()
        self._verbosity = verbosity

    def probe(self) -> EngineReport:
        """Versions, hashes and abilities of the two packages, found in a child process."""
        return probe(self.name, [*CHILD, "--probe"], _PYTHON_PATH)

    def launch(
        self, candidate: Candidate, assets: Assets, rig: RigReport, log_path: Path
    ) -> AbstractContextManager[RunningEngine]:
        """Starts the child and waits until it answers. Raises EngineError."""
        self._refuse(candidate, assets, rig)
        check_files(assets, Phase.LOAD)

        def argv(port: int) -> list[str]:
            return [*CHILD, settings_of(candidate, assets, rig, port, self._verbosity).to_json()]

        files = (assets.model, assets.drafter)
        return launched(
            argv, rig, log_path, self._limit.seconds(files), extra_env=_PYTHON_PATH, files=files
        )

    def perplexity(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: PerplexityRecipe,
        log: Path,
    ) -> list[Sample]:
        """Per-chunk negative log-likelihood through llama-cpp-python."""
        from workers.logits.run import perplexity
        from workers.models.corpus import corpus_path

        return perplexity(
            assets.model,
            candidate.kv_k,
            candidate.kv_v,
            recipe,
            corpus_path(recipe.corpus),
            candidate.threads or rig.threads,
            log,
        )

    def divergence(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> list[Sample]:
        """Per-chunk KL divergence to the reference pair through llama-cpp-python."""
        from workers.logits.run import divergence
        from workers.models.corpus import corpus_path

        return divergence(
            assets.model,
            candidate.kv_k,
            candidate.kv_v,
            recipe,
            corpus_path(recipe.corpus),
            candidate.threads or rig.threads,
            log,
        )

    def _refuse(self, candidate: Candidate, assets: Assets, rig: RigReport) -> None:
        """Raises EngineError for what the child cannot be told, or would silently not do."""
        for name in _NOT_HERE:
            value = (
                getattr(candidate, name) if name != "flags" else flags_of(candidate.flags) or None
            )
            # "off" is what a build without an adaptive controller does anyway.
            if value is not None and (name, value) != ("controller", "off"):
                raise self._missing(f"setting {name}")
        if candidate.needs_drafter and assets.drafter is None:
            raise no_drafter(candidate.spec)
        able = self.probe().capabilities
        if rig.cards and able is not None and not any("CUDA" in name for name in able.devices):
            raise self._missing(f"CUDA device, and {rig.name} is a GPU rig")

    def _missing(self, what: str) -> EngineError:
        advice = "Use an engine of kind llama_server for this, or leave it out of the space."
        return missing(what, f"the embedded engine {self.name!r}", advice, Phase.LOAD)


def settings_of(
    candidate: Candidate, assets: Assets, rig: RigReport, port: int, verbosity: int
) -> EmbeddedSettings:
    """A candidate as the child takes it."""
    return EmbeddedSettings(
        model=str(assets.model),
        port=port,
        threads=candidate.threads or rig.threads,
        kv_k=candidate.kv_k,
        kv_v=candidate.kv_v,
        ctx=candidate.ctx,
        batch=candidate.batch,
        ubatch=candidate.ubatch,
        spec=tuple(candidate.spec.split(",")),
        ngl=candidate.ngl,
        drafter=str(assets.drafter) if assets.drafter and candidate.needs_drafter else None,
        n_max=candidate.n_max,
        n_min=candidate.n_min,
        p_min=candidate.p_min,
        draft_kv_k=candidate.draft_kv_k,
        draft_kv_v=candidate.draft_kv_v,
        load_mode=candidate.load_mode,
        verbosity=verbosity,
    )
