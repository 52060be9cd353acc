"""Probing a server binary: what its answers mean, and that each is asked for once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from search_spaces.recipe import PerplexityRecipe
from tests.support.odd_executables import script
from tests.workers.dialects.texts import path_of
from tests.workers.engines.rigs import CPU, GPU
from workers.contract.failure import FailureKind
from workers.contract.reports import EngineReport
from workers.engines import probe as probing
from workers.engines.base import Assets, EngineError
from workers.engines.llama_server import LlamaServerEngine

CUDA = "Available devices:\n  CUDA0: NVIDIA H200 (143155 MiB, 142629 MiB free)\n"
NO_DEVICE = "Available devices:\n  (none)\n"
VERSION = "version: 0.6.0-dev (build 11434, commit 0c1e57098)\nbuilt with GNU 12.2.0 for Linux\n"

ANSWERS = """
import sys
open({asked!r}, "a").write(sys.argv[1] + "\\n")
answers = {{"--help": open({help!r}).read()}}
answers |= {{"--version": {version!r}, "--list-devices": {devices!r}}}
print(answers[sys.argv[1]])
"""


class Build:
    """A directory with a pretended llama-server that answers questions and notes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked_file = folder / "asked"

    def make(self, help_name: str = "mainline", devices: str = NO_DEVICE) -> LlamaServerEngine:
        body = ANSWERS.format(
            asked=str(self.asked_file),
            help=str(path_of(help_name)),
            version=VERSION,
            devices=devices,
        )
        script(self.folder / "llama-server", body)
        return LlamaServerEngine("mine", str(self.folder))

    @property
    def asked(self) -> list[str]:
        return self.asked_file.read_text().split()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "bin").mkdir()
    probing._probe_binary.cache_clear()
    yield Build(tmp_path / "bin")
    probing._probe_binary.cache_clear()


def test_the_version_is_the_label(build: Build) -> None:
    (server,) = build.make().probe().builds
    assert server.label == "llama-server 0.6.0-dev (build 11434, commit 0c1e57098)"
    assert server.role == "server"


def test_abilities_come_from_the_help(build: Build) -> None:
    able = build.make("bee_04").probe().capabilities
    assert able is not None
    assert able.dialect == "bee_04"
    assert "kvarn4" in able.kv_types
    assert able.controller
    assert able.metrics
    assert able.flags["n_max"] == "--spec-draft-n-max"
    assert "built with GNU 12.2.0 for Linux" in able.notes


def test_devices_are_listed_without_what_changes(build: Build) -> None:
    able = build.make(devices=CUDA).probe().capabilities
    assert able is not None
    assert able.devices == ("CUDA0: NVIDIA H200",)
    assert able.fa_pairs is None


def test_without_a_device_every_pair_has_a_kernel(build: Build) -> None:
    able = build.make().probe().capabilities
    assert able is not None
    assert able.devices == ()
    assert able.fa_pairs == ("all",)


def test_a_build_that_does_not_tell_its_devices(build: Build) -> None:
    able = build.make("ik_llama").probe().capabilities
    assert able is not None
    assert "does not tell its devices" in able.notes
    assert able.fa_pairs is None
    assert "--list-devices" not in build.asked


def test_a_build_is_asked_once(build: Build) -> None:
    engine = build.make()
    assert engine.probe() == engine.probe()
    assert sorted(build.asked) == ["--help", "--list-devices", "--version"]


def test_another_process_asks_only_for_the_devices(build: Build) -> None:
    first = build.make().probe()
    probing._probe_binary.cache_clear()  # what a new process starts with
    build.asked_file.write_text("")
    assert build.make().probe() == first
    assert build.asked == ["--list-devices"]


def test_a_rebuilt_binary_is_asked_anew(build: Build) -> None:
    build.make("mainline").probe()
    report = build.make("bee_early").probe()
    assert report.capabilities is not None
    assert report.capabilities.dialect == "bee_early"


def test_a_missing_tool_is_a_warning(build: Build) -> None:
    engine = build.make()
    assert "llama-perplexity" in " ".join(engine.probe().warnings)
    with pytest.raises(EngineError) as raised:
        engine.perplexity(
            Candidate("m"), Assets(Path("m")), CPU, PerplexityRecipe(), build.folder / "log"
        )
    assert raised.value.diagnosis.kind is FailureKind.CAPABILITY_MISSING


def test_a_tool_beside_it_is_a_build_of_its_own(build: Build) -> None:
    engine = build.make()
    script(build.folder / "llama-perplexity", "print('hello')\n")
    report: EngineReport = engine.probe()
    logits = report.build("logits")
    assert logits is not None
    assert logits.sha256 != report.builds[0].sha256
    assert report.warnings == ()


def launch_failure(engine: LlamaServerEngine, candidate: Candidate, folder: Path) -> EngineError:
    model = folder / "m.gguf"
    model.write_bytes(b"GGUF")
    with (
        pytest.raises(EngineError) as raised,
        engine.launch(candidate, Assets(model), GPU, folder / "log"),
    ):
        pass
    return raised.value


def test_a_gpu_rig_needs_a_build_that_sees_a_gpu(build: Build) -> None:
    error = launch_failure(build.make(), Candidate("m"), build.folder)
    assert error.diagnosis.kind is FailureKind.CAPABILITY_MISSING
    assert "rtx5090" in error.diagnosis.evidence


def test_a_build_that_does_not_tell_is_given_a_try(build: Build) -> None:
    # It fails as what it is: a script that knows no -m.
    error = launch_failure(build.make("ik_llama"), Candidate("m"), build.folder)
    assert "KeyError" in error.diagnosis.evidence


def test_what_the_build_lacks_is_found_before_a_launch(build: Build) -> None:
    candidate = replace(Candidate("m"), kv_k="turbo3")
    error = launch_failure(build.make(devices=CUDA), candidate, build.folder)
    assert error.diagnosis.kind is FailureKind.CAPABILITY_MISSING
    assert not (build.folder / "log").exists()


def test_a_cache_that_cannot_be_written_only_costs_time(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(Path(sys.executable) / "no directory"))
    assert build.make().probe().problem is None
