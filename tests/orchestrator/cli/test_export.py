"""`orchestrate export`: every format, named by key or by pick; nothing that was not measured."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from db.database import open_database
from db.rows import TrialRow
from db.states import TrialState
from orchestrator.analysis.exports.registry import export_formats
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene, sweep
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig

STAMP = "not verified: measured in the sweep, not confirmed by a second, fresh measurement"


def trials(scene: Scene, state: TrialState = TrialState.COMPLETE) -> list[TrialRow]:
    """The sweep's trials in a state."""
    with open_database(str(scene.storage), read_only=True) as database:
        return [trial for trial in database.trials.list(1) if trial.state is state]


def test_the_best_as_a_command_unless_told_otherwise(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "--storage", swept.storage)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("# K/V f16/f16 · draft-dflash · n_max 4\n# measured on rtx with ")
    assert f"# {STAMP}\nllama-server \\\n  -m /models/small \\\n  -md /models/draft" in said.out


def test_a_command_is_valid_shell(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "--storage", swept.storage, "--binary", "/opt/a b/llama-server")
    assert "\n'/opt/a b/llama-server' \\\n" in said.out
    assert subprocess.run(["sh", "-n"], input=said.out, text=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("command", "# K/V"),
        ("powershell", "# K/V"),
        ("ini", "version = 1\n\n; K/V"),
        ("env", "# K/V"),
        ("json", "[\n"),
        ("llama-swap", "models:\n  # K/V"),
        ("compose", "# Set LLAMA_SERVER_IMAGE "),
        ("config", "# K/V"),
        ("systemd", "# K/V"),
        ("ollama", "# K/V"),
    ],
)
def test_every_format_begins_as_its_readers_expect(
    orchestrate: Caller, swept: Scene, form: str, first: str
) -> None:
    said = orchestrate("export", "best", "--format", form, "--storage", swept.storage)
    assert said.code == 0
    assert said.out.startswith(first)
    assert said.out.endswith("\n")


def test_json_is_a_list_of_what_was_named(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "front", "-f", "json", "--storage", swept.storage)
    entries = json.loads(said.out)
    assert {entry["rig"] for entry in entries} == {"rtx"}
    assert entries[0]["candidate"]["n_max"] == 4


@pytest.mark.parametrize("pick", ["best", "fastest", "finest", "draft"])
def test_picks_have_names(orchestrate: Caller, swept: Scene, pick: str) -> None:
    (entry,) = json.loads(orchestrate("export", pick, "-f", "json", "--storage", swept.storage).out)
    assert entry["name"] == "small-kv_f16_f16-dflash-4k"


def test_a_key_or_its_beginning_names_a_candidate(orchestrate: Caller, swept: Scene) -> None:
    slow = next(t for t in trials(swept) if not t.candidate.drafts and t.candidate.kv_k == "q8_0")
    for start in (slow.asked_key, slow.asked_key[:8]):
        said = orchestrate("export", start, "-f", "json", "--storage", swept.storage)
        assert [entry["candidate"]["kv_k"] for entry in json.loads(said.out)] == ["q8_0"]


def test_a_candidate_named_twice_is_written_once(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "best", "fastest", "--storage", swept.storage)
    assert said.out.count("llama-server") == 1


def test_a_beginning_of_several_keys_is_refused(orchestrate: Caller, tmp_path: Path) -> None:
    scene = sweep(tmp_path / "many.db", make_space("n_max: {min: 1, max: 7}, spec: [draft-dflash], "
                                                  "ctx: [512, 1024, 2048]"))  # fmt: skip
    keys = [trial.asked_key for trial in trials(scene)]
    start = next(key[0] for key in keys if sum(other[0] == key[0] for other in keys) > 1)
    said = orchestrate("export", start, "--storage", scene.storage)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(f"'{start}' begins ")
    assert said.sentence.endswith(" keys. Give more of it.")


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("fastst", "There is no measured candidate 'fastst'. Did you mean 'fastest'?"),
        ("zzz", "There is no measured candidate 'zzz'. Valid names: "),
        ("", "There is no measured candidate ''. Valid names: "),
    ],
)
def test_an_unknown_name_gets_the_nearest(
    orchestrate: Caller, swept: Scene, named: str, says: str
) -> None:
    said = orchestrate("export", named, "--storage", swept.storage)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(says)


def test_an_unknown_format_gets_the_nearest(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "-f", "jsn", "--storage", swept.storage)
    assert (said.code, said.out) == (2, "")
    assert said.sentence == "unknown export format 'jsn'. Did you mean 'json'?"


def test_a_unit_holds_one_candidate_and_a_folder_one_unit_for_each(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    keys = [trial.asked_key for trial in trials(swept)]
    said = orchestrate("export", *keys, "-f", "systemd", "--storage", swept.storage)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith("the systemd format holds one candidate in a file. Name one, ")
    said = orchestrate("export", *keys, "-f", "systemd", "-o", tmp_path, "--storage", swept.storage)
    assert said.out.count("Written: ") == len(keys) == len(list(tmp_path.glob("*.service")))


def test_the_knee_is_the_best_and_extremes_are_both(orchestrate: Caller, swept: Scene) -> None:
    def keys(*named: str) -> list[str]:
        said = orchestrate("export", *named, "-f", "json", "--storage", swept.storage)
        return [entry["candidate"]["kv_k"] + entry["name"] for entry in json.loads(said.out)]

    assert keys("knee") == keys("best")
    assert keys("extremes") == keys("fastest", "finest")


def test_a_stamp_says_what_was_measured_by_its_hashes(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("export", "best", "--storage", swept.storage)
    (line,) = [line for line in said.out.splitlines() if line.startswith("# fingerprint: ")]
    for part in ("candidate ", "engine sha256 ", "model sha256 ", "drafter sha256 ", "sweep "):
        assert part in line


def test_what_failed_is_not_exported(orchestrate: Caller, swept: Scene) -> None:
    (failed,) = trials(swept, TrialState.FAILED)
    said = orchestrate("export", failed.asked_key, "--storage", swept.storage)
    assert (said.code, said.out) == (2, "")
    assert "is failed (out_of_memory): it has no measurement to stand on." in said.sentence


def test_what_failed_is_not_suggested_either(orchestrate: Caller, swept: Scene) -> None:
    (failed,) = trials(swept, TrialState.FAILED)
    said = orchestrate("export", "zzz", "--storage", swept.storage)
    assert failed.asked_key[:8] not in said.sentence


@pytest.mark.parametrize("form", export_formats())
def test_nothing_simulated_is_exported(orchestrate: Caller, simulated: Scene, form: str) -> None:
    said = orchestrate("export", "best", "-f", form, "--storage", simulated.storage)
    assert (said.code, said.out) == (2, "")
    assert "is simulated: its numbers were replayed, not measured." in said.sentence


def test_a_pick_is_written_for_every_rig(orchestrate: Caller, tmp_path: Path) -> None:
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    scene = sweep(tmp_path / "rigs.db", rigs=rigs)
    said = orchestrate("export", "best", "-f", "json", "--storage", scene.storage)
    assert sorted(entry["rig"] for entry in json.loads(said.out)) == ["a", "b"]


def test_output_goes_to_a_file(orchestrate: Caller, swept: Scene, tmp_path: Path) -> None:
    file = tmp_path / "best.sh"
    printed = orchestrate("export", "--storage", swept.storage).out
    said = orchestrate("export", "--storage", swept.storage, "-o", file)
    assert said.out == f"Written: {file}\n"
    assert file.read_text(encoding="utf-8") == printed
