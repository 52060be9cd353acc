"""The builtin spaces: every one loads by name, and means what its comments promise."""

from __future__ import annotations

import pytest

from search_spaces.builds import BUILDS
from search_spaces.builtin import builtin_names
from search_spaces.load import find, load
from search_spaces.walk import baseline_of
from tests.search_spaces.spaces import walked

NAMES = builtin_names()
POSTS = [name for name in NAMES if name != "kv_dflash"]


def test_there_is_one_for_every_rig_that_people_posted_about() -> None:
    assert set(NAMES) >= {
        "build_to_build",
        "kv_dflash",
        "laptop8gb_qwen36_35b_a3b",
        "mainline_dflash_36k",
        "rtx4080_qwen38_27b_dflash2",
        "rtx4090_3090_qwen36_27b_q8",
        "rtx5090_qwen36_27b",
        "rtx5090_qwen36_27b_kvarn",
    }


@pytest.mark.parametrize("name", NAMES)
def test_it_is_found_by_its_name_which_is_its_file(name: str) -> None:
    assert load(name) == load(f"{name}.yaml")
    assert load(name).name == name
    assert load(name).title


@pytest.mark.parametrize("name", POSTS)
def test_its_engines_say_what_they_are(name: str) -> None:
    """So that a plan can be made without them, and a person is told what to get."""
    assert {ref.like for ref in load(name).engines.values()} <= set(BUILDS)


@pytest.mark.parametrize("name", NAMES)
def test_its_baselines_are_among_its_candidates(name: str) -> None:
    space = load(name)
    given = set(walked(space))
    assert {baseline_of(space, candidate) for candidate in given} <= given


@pytest.mark.parametrize("name", POSTS)
def test_it_says_how_to_plan_and_to_measure_it(name: str) -> None:
    text = find(name).read_text(encoding="utf-8")
    assert f"orchestrate plan  --space {name} --rig-profile " in text
    assert f"orchestrate sweep --space {name}\n" in text


@pytest.mark.parametrize("name", POSTS)
def test_paths_that_a_person_must_set_are_marked(name: str) -> None:
    """A path of this machine's owner stands on a line that says EDIT, here or at its engine."""
    lines = find(name).read_text(encoding="utf-8").splitlines()
    paths = [line for line in lines if "~/models/" in line and not line.lstrip().startswith("#")]
    assert [line for line in paths if "EDIT" not in line] == []
    assert any("EDIT" in line for line in lines)


def test_what_an_engine_is_like_is_no_part_of_a_space() -> None:
    space = load("build_to_build")
    plain = {name: ref.model_copy(update={"like": None}) for name, ref in space.engines.items()}
    assert space.model_copy(update={"engines": plain}).key == space.key
