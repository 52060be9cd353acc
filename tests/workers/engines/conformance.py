"""What every engine that really runs must do: inherit `EngineConformance` and give its `ref`.

The models are real and small: a 135M target, DFlash drafters trained for it, and a coarser
quant of the target as a draft model. On a CPU, greedy text must not depend on speculation;
on a GPU it may (kernels differ by batch size), so this suite runs on the CPU.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import psutil
import pytest

from search_spaces.candidate import Candidate
from search_spaces.space import EngineRef
from tests.support.models import builtin_model, test_drafter
from tests.workers.engines.rigs import CPU, GPU
from tests.workers.engines.scoring_conformance import PLAIN, ScoringConformance
from tests.workers.engines.serving_conformance import ServingConformance
from tests.workers.engines.test_process import wait_until
from workers.contract.failure import FailureKind, Phase
from workers.engines.base import Assets, Engine, EngineError, RunningEngine
from workers.http.client import ServerClient
from workers.http.completion import Completion

PROMPT = "def quicksort(values):\n"
PREDICT = 40
DFLASH = replace(PLAIN, spec="draft-dflash", drafter="drafter", n_max=4)
DRAFTERS: dict[str, Callable[[], Path]] = {
    "dflash": lambda: builtin_model("smollm2-135m-dflash-Q8_0"),
    "dflash2": lambda: test_drafter("dflash2-identity-Q8_0"),
    "dflash-Q4_0": lambda: test_drafter("dflash-Q4_0"),
    "simple": lambda: builtin_model("smollm2-135m-Q2_K"),
}


class EngineConformance(ScoringConformance, ServingConformance):
    """One suite for every implementation of `workers.engines.base.Engine`."""

    roles: ClassVar[set[str]] = {"server", "logits"}

    # --- probing

    def test_its_builds_are_known_by_their_content(self, engine: Engine) -> None:
        report = engine.probe()
        assert report.problem is None
        assert {build.role for build in report.builds} == self.roles
        assert all(len(build.sha256) == 64 and build.label for build in report.builds)

    def test_it_tells_what_it_can_do(self, engine: Engine) -> None:
        able = engine.probe().capabilities
        assert able is not None
        assert {"f16", "q8_0", "q4_0", "q5_1"} <= set(able.kv_types)
        assert {"none", "draft-dflash", "draft-simple"} <= set(able.spec_types)
        assert able.metrics

    # --- launching

    def test_a_launched_engine_answers(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        with engine.launch(PLAIN, assets, CPU, tmp_path / "log") as running:
            with urllib.request.urlopen(f"{running.base_url}/health", timeout=10) as answer:
                assert json.load(answer) == {"status": "ok"}
            assert running.alive()
            assert running.record.start_s > 0
            assert running.record.argv
            pid = running.record.pid
        assert not running.alive()
        assert not psutil.pid_exists(pid)

    def test_a_completion_has_the_length_asked_for(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        done = complete(engine, PLAIN, assets, tmp_path)
        assert done.predicted_n == len(done.tokens) == PREDICT
        assert done.predicted_ms > 0
        assert done.prompt_n > 0
        assert done.cache_n == 0

    def test_k_and_v_have_types_of_their_own(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        mixed = replace(PLAIN, kv_k="q8_0", kv_v="q5_1")
        with engine.launch(mixed, assets, CPU, tmp_path / "log") as running:
            log = running.log_text()
        assert "K (q8_0)" in log
        assert "V (q5_1)" in log

    def test_the_context_is_the_one_asked_for(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        with serving(engine, PLAIN, assets, tmp_path) as (_, client):
            assert client.props()["default_generation_settings"]["n_ctx"] == PLAIN.ctx

    # --- speculation

    def test_dflash_drafts_and_some_of_it_is_accepted(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        with serving(engine, DFLASH, assets, tmp_path) as (running, client):
            done = client.completion(PROMPT, PREDICT, timeout_s=120)
            assert client.slots()[0]["speculative"] is True
            assert "n_max=4" in running.log_text()
        assert done.draft_n > 0
        assert 0 < done.draft_n_accepted <= done.draft_n

    def test_without_speculation_nothing_is_drafted(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        assert complete(engine, PLAIN, assets, tmp_path).draft_n == 0

    @pytest.mark.parametrize("drafter", DRAFTERS)
    def test_greedy_text_does_not_depend_on_speculation(
        self, engine: Engine, drafter: str, tmp_path: Path
    ) -> None:
        spec = "draft-simple" if drafter == "simple" else "draft-dflash"
        assets = Assets(builtin_model(), DRAFTERS[drafter]())
        drafted = complete(engine, replace(DFLASH, spec=spec), assets, tmp_path)
        plain = complete(engine, PLAIN, assets, tmp_path)
        assert drafted.draft_n > 0
        assert drafted.tokens == plain.tokens

    # --- failures

    def test_a_missing_model_is_a_bad_model_file(self, engine: Engine, tmp_path: Path) -> None:
        missing = Assets(tmp_path / "missing.gguf")
        assert failure(engine, PLAIN, missing, tmp_path) is FailureKind.BAD_MODEL_FILE

    def test_half_a_model_is_a_bad_model_file(self, engine: Engine, tmp_path: Path) -> None:
        half = tmp_path / "half.gguf"
        with builtin_model().open("rb") as whole:
            half.write_bytes(whole.read(4_000_000))
        assert failure(engine, PLAIN, Assets(half), tmp_path) is FailureKind.BAD_MODEL_FILE

    @pytest.mark.parametrize(
        "change",
        [
            {"kv_k": "turbo9"},
            {"kv_v": "q2_K"},
            {"spec": "telepathy"},
            {"controller": "on", "spec": "ngram-mod"},
        ],
        ids=["kv_k", "kv_v", "spec", "controller"],
    )
    def test_what_it_lacks_is_a_missing_capability(
        self, engine: Engine, assets: Assets, change: dict[str, str], tmp_path: Path
    ) -> None:
        candidate = replace(PLAIN, **change)  # type: ignore[arg-type]
        assert failure(engine, candidate, assets, tmp_path) is FailureKind.CAPABILITY_MISSING

    def test_a_gpu_rig_needs_a_gpu_build(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        able = engine.probe().capabilities
        assert able is not None
        if any("CPU" not in device for device in able.devices):
            pytest.skip("this build has a GPU")
        assert failure(engine, PLAIN, assets, tmp_path, GPU) is FailureKind.CAPABILITY_MISSING

    def test_a_drafter_that_is_needed_must_be_given(self, engine: Engine, tmp_path: Path) -> None:
        alone = Assets(builtin_model())
        assert failure(engine, DFLASH, alone, tmp_path) is FailureKind.INVALID_CONFIG

    @pytest.mark.skipif(sys.platform != "linux", reason="the kernel's death signal is Linux's")
    @pytest.mark.chaos
    def test_it_dies_with_its_worker(self, ref: EngineRef, tmp_path: Path) -> None:
        told = [ref.model_dump_json(), str(builtin_model()), str(tmp_path / "log")]
        worker = subprocess.Popen([sys.executable, "-c", WORKER, *told], stdout=subprocess.PIPE)
        assert worker.stdout is not None
        pid = int(worker.stdout.readline())
        worker.kill()
        worker.wait()
        worker.stdout.close()
        assert wait_until(lambda: not psutil.pid_exists(pid))


@contextmanager
def serving(
    engine: Engine, candidate: Candidate, assets: Assets, folder: Path
) -> Iterator[tuple[RunningEngine, ServerClient]]:
    """A launched engine and a client of it."""
    with (
        engine.launch(candidate, assets, CPU, folder / f"{candidate.spec}.log") as running,
        ServerClient(running.base_url) as client,
    ):
        yield running, client


def complete(engine: Engine, candidate: Candidate, assets: Assets, folder: Path) -> Completion:
    """One greedy completion of the prompt."""
    with serving(engine, candidate, assets, folder) as (_, client):
        return client.completion(PROMPT, PREDICT, timeout_s=120)


def failure(
    engine: Engine, candidate: Candidate, assets: Assets, folder: Path, rig: object = CPU
) -> FailureKind:
    """The kind of failure that a launch ends with."""
    with (
        pytest.raises(EngineError) as raised,
        engine.launch(candidate, assets, rig, folder / "log"),  # type: ignore[arg-type]
    ):
        pass
    assert raised.value.phase is Phase.LOAD
    assert raised.value.hint
    return raised.value.diagnosis.kind


WORKER = """
import sys, time
from pathlib import Path
from search_spaces.space import EngineRef
from tests.workers.engines.scoring_conformance import PLAIN
from tests.workers.engines.rigs import CPU
from workers.engines.base import Assets
from workers.engines.registry import make_engine
engine = make_engine("tested", EngineRef.model_validate_json(sys.argv[1]))
with engine.launch(PLAIN, Assets(Path(sys.argv[2])), CPU, Path(sys.argv[3])) as running:
    print(running.record.pid, flush=True)
    time.sleep(600)
"""
