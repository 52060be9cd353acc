"""Telling target from drafter, counting graph splits, and the small helpers of gates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.workers.gates import logs
from workers.gates.graph_splits import most_splits
from workers.gates.log_sections import draft_part, line_of, target_part
from workers.gates.model_paths import same_file, served_path
from workers.gates.spec_kinds import has_draft_model, looks_up


@pytest.mark.parametrize(
    "line",
    [
        logs.LOADS_DRAFTER,
        "srv    load_model: loading draft model '/models/d.gguf'\n",
        'INFO [ load_model] loading draft model | tid="139" timestamp=1755\n',
        "srv    load_model: creating MTP draft context against the target model\n",
    ],
)
def test_the_drafter_begins_where_it_is_loaded(line: str) -> None:
    log = logs.KV_NOW + line + logs.KV_OF_DRAFTER

    assert target_part(log) == logs.KV_NOW
    assert draft_part(log).endswith(logs.KV_OF_DRAFTER)


def test_without_a_drafter_everything_is_about_the_target() -> None:
    assert (target_part(logs.KV_NOW), draft_part(logs.KV_NOW)) == (logs.KV_NOW, "")


@pytest.mark.parametrize(
    ("log", "splits"),
    [
        (logs.SPLITS_NOW.format(2), 2),
        (logs.SPLITS_NOW_TWO.format(34, 66), 66),
        (logs.SPLITS_2025.format(66, 3), 66),
        (logs.SPLITS_2024.format(2), 2),
        (logs.SPLITS_2024.format(2) + logs.SPLITS_2024.format(50), 50),
        ("no such line\n", None),
    ],
)
def test_the_largest_number_of_splits_counts(log: str, splits: int | None) -> None:
    assert most_splits(log) == splits


def test_a_long_line_is_cut_for_reading() -> None:
    log = "first\n" + "x" * 1000 + "\nlast"
    found = re.search("xx", log)
    assert found is not None

    line = line_of(log, found, limit=20)

    assert (len(line), line[-1]) == (20, "…")


def test_one_file_under_two_spellings_is_one(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.touch()
    link = tmp_path / "link.gguf"
    link.symlink_to(model)

    assert same_file(str(link), model)
    assert same_file("model.gguf", model)
    assert not same_file(str(tmp_path / "other.gguf"), model)


@pytest.mark.parametrize("props", [{}, {"model_path": ""}, {"model_path": None}])
def test_old_builds_do_not_say_what_they_serve(props: dict[str, object]) -> None:
    assert served_path(props) is None


@pytest.mark.parametrize(
    ("spec", "lookup", "model"),
    [
        ("none", False, False),
        ("draft-dflash", False, True),
        ("draft-mtp", False, True),
        ("ngram-mod", True, False),
        ("draft-dflash,ngram-mod", True, True),
        ("suffix", True, False),
    ],
)
def test_kinds_of_speculation_are_of_two_families(spec: str, lookup: bool, model: bool) -> None:
    assert (looks_up(spec), has_draft_model(spec)) == (lookup, model)
