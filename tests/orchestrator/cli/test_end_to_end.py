"""The whole way, in a process of its own: a space, a scripted llama-server, a database, a command.

Nothing is measured that means anything; everything between the keyboard and the engine is real.
"""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.orchestrator.cli.calling import ROOT, Said, environment, in_process, words
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
measure:
  throughput: {{suite: coding, prompts: 2, predict: 8, launches: 2, passes: 1, max_passes: 1}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a space, a model, a drafter and an engine that works."""
    if any(rig.kind is not RigKind.CPU for rig in discover_rigs()):
        pytest.skip("the scripted server has no card, and would be found out on one")
    write_gguf(tmp_path / "model.gguf", n_ctx_train=4096)
    write_dflash(tmp_path / "draft.gguf")
    write_scripted_server(tmp_path / "llama-server", Script())
    (tmp_path / "mine.yaml").write_text(SPACE.format(folder=tmp_path))
    return tmp_path


def arguments(folder: Path) -> list[str]:
    """What follows `orchestrate`, with everything it writes inside the folder."""
    outputs = {"--storage": "o.db", "--html": "page.html", "--log-dir": "logs"}
    named = [word for option, name in outputs.items() for word in (option, str(folder / name))]
    return ["sweep", "--space", str(folder / "mine.yaml"), "--pool", "inline", *named]


def sweep(folder: Path) -> Said:
    """Runs the sweep to its end."""
    return in_process(*arguments(folder), ORCHESTRATE_CACHE=str(folder / "cache"))


def left_running(folder: Path) -> list[int]:
    """Processes that were started from this folder."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        if any(str(folder) in word for word in process.info["cmdline"] or ()):
            found.append(process.info["pid"])
    return found


def test_from_a_space_to_a_command(folder: Path) -> None:
    said = sweep(folder)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("mine on cpu: 3 candidates, 3 trials.\n")
    exported = in_process("export", "--storage", folder / "o.db", "-f", "json")
    (best,) = json.loads(exported.out)
    assert best["candidate"]["n_max"] == 4
    assert str(folder / "model.gguf") in best["argv"]
    assert left_running(folder) == []


def test_an_engine_that_never_starts_fails_every_trial(folder: Path) -> None:
    write_scripted_server(folder / "llama-server", Script(faults=(Fault.OUT_OF_MEMORY,)))
    said = sweep(folder)
    assert said.code == 4
    assert said.sentence == "Every trial failed. See why with: orchestrate status."
    status = in_process("status", "--storage", folder / "o.db").out
    assert "3 trials failed: out of memory\n" in status
    log = Path(status.rpartition("Log: ")[2].strip())
    assert "out of memory" in log.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_with_a_sentence_and_no_engine_left(folder: Path, number: int) -> None:
    write_scripted_server(folder / "llama-server", Script(faults=(Fault.LOADS_FOR_EVER,)))
    with subprocess.Popen(
        words(*arguments(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment({"ORCHESTRATE_CACHE": str(folder / "cache"), "PYTHONUNBUFFERED": "1"}),
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("mine on cpu: ")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert Said(130, "", err).sentence.startswith("Stopped; everything measured so far is kept.")
    assert left_running(folder) == []
    assert "mine was interrupted;" in in_process("status", "--storage", folder / "o.db").out


def test_a_sweep_that_was_killed_is_told_and_goes_on(folder: Path) -> None:
    write_scripted_server(folder / "llama-server", Script(faults=(Fault.LOADS_FOR_EVER,)))
    with subprocess.Popen(
        words(*arguments(folder)),
        stdout=subprocess.PIPE,
        text=True,
        env=environment({"ORCHESTRATE_CACHE": str(folder / "cache"), "PYTHONUNBUFFERED": "1"}),
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("mine on cpu: ")
        process.kill()
    assert "mine was killed;" in in_process("status", "--storage", folder / "o.db").out
    write_scripted_server(folder / "llama-server", Script())
    again = sweep(folder)
    assert (again.code, left_running(folder)) == (0, [])
