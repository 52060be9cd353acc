"""`orchestrate ceiling`, with a scripted llama-server that has limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.orchestrator.cli.calling import Caller, Said, in_process
from tests.orchestrator.cli.scenes import simulated
from tests.support.gguf_writer import write_dflash, write_gguf
from tests.support.script import Fault, Script
from tests.support.scripted_server import write_scripted_server
from workers.contract.reports import RigKind
from workers.gpu.discover import discover_rigs

SPACE = """
name: mine
engines: {{mine: {{path: {folder}/llama-server}}}}
fixed: {{engine: mine, model: {folder}/model.gguf, drafter: {folder}/draft.gguf, ctx: 1024}}
parameters: {{spec: [none, draft-dflash], n_max: [2, 4]}}
objectives: [tok_s]
measure: {{throughput: {{suite: coding, prompts: 2, predict: 8, launches: 2, passes: 1}}}}
"""
DRAFTING = ("--set", "spec=draft-dflash")


class Scene:
    """A folder with a space, a model of 4,096 tokens, a drafter and a scripted engine."""

    def __init__(self, folder: Path, script: Script) -> None:
        self.folder = folder
        write_gguf(folder / "model.gguf", n_ctx_train=4096)
        write_dflash(folder / "draft.gguf")
        write_scripted_server(folder / "llama-server", script)
        (folder / "mine.yaml").write_text(SPACE.format(folder=folder))

    def ceiling(self, *arguments: str) -> Said:
        """Calls the command with what it writes inside the folder."""
        outputs = ["--storage", str(self.folder / "o.db"), "--log-dir", str(self.folder / "logs")]
        space = ["--space", str(self.folder / "mine.yaml")]
        cache = str(self.folder / "cache")
        return in_process("ceiling", *space, *outputs, *arguments, ORCHESTRATE_CACHE=cache)

    def told(self, *arguments: str) -> dict[str, Any]:
        """The one ceiling as JSON."""
        said = self.ceiling("--json", *arguments)
        made: list[dict[str, Any]] = json.loads(said.out)["ceilings"]
        return made[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder, on a machine without a card."""
    if any(rig.kind is not RigKind.CPU for rig in discover_rigs()):
        pytest.skip("the scripted server has no card, and would be found out on one")
    return tmp_path


def test_a_model_that_runs_at_its_own_limit(folder: Path) -> None:
    said = Scene(folder, Script()).ceiling()
    assert said.code == 0, said.err
    assert "model limit" in said.out
    assert "4,096 tokens work; that is the context the model was trained for." in said.out


def test_memory_ends(folder: Path) -> None:
    found = Scene(folder, Script(fits_ctx=2048)).told("--step", "512")
    assert (found["limit"], found["ctx_max"], found["above"]) == ("memory", 2048, 2560)
    assert "failed to allocate buffer for kv cache" in found["evidence"]


def test_a_drafter_that_cannot_load_although_memory_should_do(folder: Path) -> None:
    found = Scene(folder, Script(sound_ctx=2048)).told("--step", "512", *DRAFTING)
    assert (found["limit"], found["ctx_max"], found["above"]) == ("engine", 2048, 2560)
    assert "invalid vector subscript" in found["evidence"]
    assert (found["above_passed"], found["above_tries"]) == (0, 3)


def test_an_engine_that_hangs_once_it_is_full(folder: Path) -> None:
    script = Script(faults=(Fault.STUCK,), shallow=1500)
    found = Scene(folder, script).told("--step", "1024", "--limit", "2", "--attempts", "1")
    assert (found["limit"], found["ctx_max"]) == ("engine", 1024)
    assert "no answer after 2 s" in found["evidence"]


def test_a_drafter_that_is_loaded_and_never_used(folder: Path) -> None:
    said = Scene(folder, Script(faults=(Fault.DRAFTER_IGNORED,))).ceiling(*DRAFTING)
    assert said.code == 4
    assert "failed to initialize speculative decoding context" in said.out
    assert "drafter" in said.out.split("No context works")[1]


def test_the_same_command_goes_on(folder: Path) -> None:
    scene = Scene(folder, Script(fits_ctx=2048))
    first, again = scene.told(), scene.told()
    assert (again["launches"], again["known_before"]) == (0, first["launches"])
    assert again["sentence"] == first["sentence"]


def test_a_simulated_sweep_has_no_engine(orchestrate: Caller, tmp_path: Path) -> None:
    simulated(tmp_path / "s.db")
    said = orchestrate("ceiling", "--storage", tmp_path / "s.db", "--log-dir", tmp_path / "l")
    assert said.code == 2
    assert "simulated" in said.sentence


def test_settings_need_a_space(orchestrate: Caller, tmp_path: Path) -> None:
    said = orchestrate("ceiling", "--set", "kv=f16/f16", "--storage", tmp_path / "s.db")
    assert (said.code, said.sentence) == (
        2,
        "--set needs --space. Name the space that the candidate is of.",
    )
