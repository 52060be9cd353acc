"""The part of the conformance suite about scoring a text, and what both parts need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from search_spaces.space import EngineRef
from tests.support.models import builtin_model
from tests.workers.engines.rigs import CPU
from workers.contract.failure import FailureKind, Phase
from workers.engines.base import Assets, Engine, EngineError
from workers.engines.registry import make_engine

PLAIN = Candidate("target", ctx=256, batch=256, ubatch=128)


class ScoringConformance:
    """Perplexity and KL divergence, chunk by chunk."""

    @pytest.fixture
    def ref(self) -> EngineRef:
        """The engine under test, as a space names it."""
        raise NotImplementedError

    @pytest.fixture
    def engine(self, ref: EngineRef) -> Engine:
        return make_engine("tested", ref)

    @pytest.fixture
    def assets(self) -> Assets:
        return Assets(builtin_model(), builtin_model("smollm2-135m-dflash-Q8_0"))

    @pytest.fixture
    def own_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A cache of the test's own, asked for after the models have been found."""
        path = tmp_path / "cache"
        path.mkdir()
        monkeypatch.setenv("ORCHESTRATE_CACHE", str(path))
        return path

    def test_perplexity_comes_in_chunks(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        recipe = PerplexityRecipe(n_ctx=64, chunks=3, batch=64, ubatch=64)
        samples = engine.perplexity(PLAIN, assets, CPU, recipe, tmp_path / "log")
        assert [sample.label for sample in samples] == ["0", "1", "2"]
        assert all(sample.values["tokens"] == 31 for sample in samples)
        assert all(31 < sample.values["nll"] < 31 * 10 for sample in samples)

    def test_divergence_from_itself_is_nothing(
        self, engine: Engine, assets: Assets, tmp_path: Path, own_cache: Path
    ) -> None:
        assert own_cache.is_dir()
        recipe = DivergenceRecipe(n_ctx=128, chunks=2, batch=128, ubatch=128)
        same = engine.divergence(PLAIN, assets, CPU, recipe, tmp_path / "log")
        coarse = replace(PLAIN, kv_k="q4_0", kv_v="q4_0")
        other = engine.divergence(coarse, assets, CPU, recipe, tmp_path / "log")
        assert len(same) == len(other) == 2
        # llama-perplexity keeps the reference's probabilities in 16 bits.
        assert sum(sample.values["kld"] for sample in same) == pytest.approx(0, abs=0.01)
        assert sum(sample.values["kld"] for sample in other) > 0.1
        assert all(0 < sample.values["same_top"] <= 1 for sample in same + other)

    def test_scoring_a_missing_model_is_a_bad_model_file(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        missing = Assets(tmp_path / "missing.gguf")
        recipe = PerplexityRecipe(n_ctx=64, chunks=2, batch=64, ubatch=64)
        with pytest.raises(EngineError) as raised:
            engine.perplexity(PLAIN, missing, CPU, recipe, tmp_path / "log")
        assert raised.value.diagnosis.kind is FailureKind.BAD_MODEL_FILE
        assert raised.value.phase is Phase.PERPLEXITY
