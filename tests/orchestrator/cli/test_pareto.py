"""`orchestrate pareto`: the front as a table, as JSON, as a page."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import pytest

from orchestrator.analysis.plain import candidate as as_plain_data
from tests.orchestrator.analysis.points import exact
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene, sweep
from tests.orchestrator.sweeping.spaces import make_space
from workers.contract.outcome import Estimate


def test_the_table_has_the_members_and_the_baseline(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("pareto", "--storage", swept.storage)
    title, heads, _, *rows = said.out.splitlines()
    rows = rows[: rows.index("")]
    assert (said.code, said.err) == (0, "")
    assert title == "Front: rtx"
    assert heads.split()[:4] == ["key", "candidate", "tok/s", "PPL"]
    assert (rows[0].split()[-1], rows[-1].split()[-1]) == ("front", "baseline")
    assert "K/V f16/f16 · no speculation" in rows[-1]


def test_a_number_and_its_interval_have_equally_many_digits(
    orchestrate: Caller, swept: Scene
) -> None:
    said = orchestrate("pareto", "--storage", swept.storage)
    speed, half = said.out.splitlines()[3].split(" ±")[0:2]
    assert len(speed.rpartition(".")[2]) == len(half.split()[0].rpartition(".")[2])


def test_the_speed_of_the_picks_is_shown_for_each_class_of_prompts(
    orchestrate: Caller, swept: Scene
) -> None:
    lines = orchestrate("pareto", "--storage", swept.storage).out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("tok/s by class"))
    assert lines[start].split()[-1] == "baseline"
    assert [line.split()[0] for line in lines[start + 2 : start + 5]] == ["all", "code", "prose"]


def test_json_has_the_numbers_of_each_class(orchestrate: Caller, swept: Scene) -> None:
    found = json.loads(orchestrate("pareto", "--storage", swept.storage, "--json").out)
    best = found["front"][0]
    assert found["classes"] == ["code", "prose"]
    assert best["classes"]["prose"]["tok_s"]["value"] > 0
    assert best["classes"]["prose"].keys() >= {"tok_s", "speedup", "acceptance"}


def test_one_command_is_printed_for_all_that_one_candidate_is_best_at(
    orchestrate: Caller, swept: Scene
) -> None:
    said = orchestrate("pareto", "--storage", swept.storage)
    assert "Best balance, also best with a draft:\n" in said.out
    assert said.out.count("\nllama-server \\\n") == 1
    assert "  -m /models/small \\\n" in said.out


def test_json_is_one_object_whose_front_lists_candidates(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("pareto", "--storage", swept.storage, "--json")
    found = json.loads(said.out)
    assert (said.code, said.err) == (0, "")
    assert found["name"] == "kv"
    assert found["objectives"] == {"tok_s": "maximize", "ppl": "minimize"}
    best = found["front"][0]
    assert (best["candidate"]["n_max"], best["place"]) == (4, "front")
    assert best["metrics"]["tok_s"]["low"] < best["metrics"]["tok_s"]["value"]
    assert found["picks"]["rtx"]["best"] == best["key"]
    assert len(found["measured"]) == 5


def test_json_has_failures_with_their_reasons(orchestrate: Caller, swept: Scene) -> None:
    (failed,) = json.loads(orchestrate("pareto", "--storage", swept.storage, "--json").out)[
        "failed"
    ]
    assert failed["failure"]["kind"] == "out_of_memory"
    assert failed["failure"]["evidence"] == "cudaMalloc failed: out of memory"


def test_numbers_that_json_cannot_say_are_null() -> None:
    record = dataclasses.replace(
        exact(0), estimates={"ppl": Estimate("ppl", math.nan, 1.0, math.inf, 1)}
    )
    metrics = as_plain_data(record)["metrics"]
    assert metrics == {"ppl": {"value": None, "low": 1.0, "high": None, "n": 1}}


def test_html_writes_the_page_and_says_where(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    said = orchestrate("pareto", "--storage", swept.storage, "--html", page)
    assert (said.code, said.out, said.err) == (0, f"Page: {page}\n", "")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_html_beside_json_leaves_standard_output_to_json(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    said = orchestrate("pareto", "--storage", swept.storage, "--html", page, "--json")
    assert json.loads(said.out)["front"]
    assert page.exists()


def test_reading_changes_nothing(orchestrate: Caller, swept: Scene) -> None:
    before = swept.storage.read_bytes()
    orchestrate("pareto", "--storage", swept.storage)
    assert swept.storage.read_bytes() == before


def test_the_latest_sweep_is_shown_unless_another_is_named(
    orchestrate: Caller, tmp_path: Path
) -> None:
    storage = tmp_path / "two.db"
    sweep(storage, make_space("spec: [none]", name="older"))
    sweep(storage, make_space("spec: [none]", name="newer"))
    assert "of newer." in orchestrate("pareto", "--storage", storage).out
    assert "of older." in orchestrate("pareto", "--storage", storage, "--sweep", "older").out


def test_the_variable_names_a_database(
    orchestrate: Caller, swept: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCHESTRATE_STORAGE", str(swept.storage))
    assert orchestrate("pareto").code == 0


def test_simulated_numbers_say_so_and_have_no_command(
    orchestrate: Caller, simulated: Scene
) -> None:
    table = orchestrate("pareto", "--storage", simulated.storage)
    assert table.out.startswith("Simulated: ")
    assert "llama-server" not in table.out
    assert json.loads(orchestrate("pareto", "--storage", simulated.storage, "--json").out)[
        "simulated"
    ]
