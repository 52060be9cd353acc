"""`orchestrate report`: a sweep in the form people post, or for programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene, sweep
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.surfaces import failing


def test_markdown_is_printed_with_a_title_and_sections(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("report", "--storage", swept.storage)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("# ")
    for title in ("Recommendation by goal", "K/V cache types", "Failures", "Fingerprint"):
        assert f"\n## {title}\n" in said.out


def test_the_winners_command_is_there_without_its_paths(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("report", "--storage", swept.storage)
    assert "```sh\nllama-server \\\n  -m /removed/small \\\n" in said.out


def test_neither_hosts_nor_paths_nor_cards_are_named(orchestrate: Caller, swept: Scene) -> None:
    for form in ("markdown", "json", "csv"):
        out = orchestrate("report", "--storage", swept.storage, "--format", form).out
        for private in ("tower", "/models/", "/engines/", "GPU-rtx", str(swept.storage.parent)):
            assert private not in out


def test_json_is_one_object(orchestrate: Caller, swept: Scene) -> None:
    found = json.loads(orchestrate("report", "--storage", swept.storage, "-f", "json").out)
    assert (found["schema"], found["name"], len(found["candidates"])) == (1, "kv", 6)


def test_csv_has_a_row_for_each_candidate(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("report", "--storage", swept.storage, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert sorted(row["state"] for row in rows) == [*["complete"] * 5, "failed"]


def test_a_file_is_written_instead_of_printing(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    file = tmp_path / "report.md"
    said = orchestrate("report", "--storage", swept.storage, "--output", file)
    assert (said.code, said.out, said.err) == (0, f"Written: {file}\n", "")
    assert file.read_text(encoding="utf-8").startswith("# ")


def test_only_the_rigs_that_were_named_are_reported(orchestrate: Caller, tmp_path: Path) -> None:
    storage = tmp_path / "two.db"
    sweep(storage, make_space(), rigs=[make_rig("left"), make_rig("right", card="RTX 3090")])
    both = orchestrate("report", "--storage", storage).out
    left = orchestrate("report", "--storage", storage, "--rig", "left").out
    assert "**left**" in both and "**right**" in both
    assert "right" not in left


def test_simulated_numbers_say_so_and_have_no_command(
    orchestrate: Caller, simulated: Scene
) -> None:
    out = orchestrate("report", "--storage", simulated.storage).out
    assert out.splitlines()[2].startswith("**Simulated: ")
    assert "```sh" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rig", "rtz"), "nothing on a rig 'rtz'. Did you mean 'rtx'?"),
        (("--format", "html"), "unknown report format 'html'"),
        (("--sweep", "kw"), "no sweep 'kw'"),
        (("--output", "/nowhere/report.md"), "the directory /nowhere does not exist"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(
    orchestrate: Caller, swept: Scene, arguments: tuple[str, ...], words: str
) -> None:
    said = orchestrate("report", "--storage", swept.storage, *arguments)
    assert (said.code, said.out) == (2, "")
    assert words in said.sentence


def test_a_sweep_in_which_everything_failed_still_has_its_failures(
    orchestrate: Caller, tmp_path: Path
) -> None:
    storage = tmp_path / "failed.db"
    sweep(storage, surface=failing(lambda candidate, rig: True))
    said = orchestrate("report", "--storage", storage)
    assert said.code == 0
    assert "\n## Failures\n" in said.out
    assert "Recommendation by goal (no candidate was measured to the end" in said.out


def test_a_database_without_a_sweep_is_told(orchestrate: Caller, empty: Path) -> None:
    assert "holds no sweeps" in orchestrate("report", "--storage", empty).sentence
