"""Engines that are assumed: what their kind of build can do, and nothing about this host."""

from __future__ import annotations

import pytest

from search_spaces.builds import BUILDS
from search_spaces.space import EngineRef
from workers.assumed.engines import abilities, assumed_engine
from workers.known_bugs.builds import build_number, release_of

DIALECTS = {
    "mainline": "mainline",
    "bee_04": "bee_04",
    "bee_early": "bee_early",
    "ik_llama": "ik_llama",
    "turboquant": "legacy",
    "legacy": "legacy",
}


@pytest.mark.parametrize("build", BUILDS)
def test_each_kind_of_build_speaks_its_dialect(build: str) -> None:
    assert abilities(build).dialect == DIALECTS[build]
    assert "assumed, not probed" in abilities(build).notes


@pytest.mark.parametrize(
    ("build", "kind"),
    [("bee_early", "turbo2_tcq"), ("bee_04", "kvarn4"), ("turboquant", "turbo3")],
)
def test_forks_have_the_cache_types_they_are_for(build: str, kind: str) -> None:
    assert kind in abilities(build).kv_types
    assert kind not in abilities("mainline").kv_types


def engine(name: str, like: str | None) -> tuple[str, str | None]:
    """Label and problem of an assumed engine."""
    report = assumed_engine(name, EngineRef(path="llama-server", like=like))
    built = report.build("server")
    return built.label if built else "", report.problem


def test_it_is_labelled_as_assumed_with_the_version_that_stands_for_its_kind() -> None:
    label, problem = engine("bee", "bee_04")
    assert label == "BeeLlama 0.4 (Anbeeld/beellama.cpp) 0.4.7 (assumed)"
    assert (release_of(label), problem) == ((0, 4, 7), None)


def test_an_engine_that_is_named_as_a_build_is_that_build() -> None:
    assert build_number(engine("b9551", "mainline")[0]) == 9551
    assert build_number(engine("newest", "mainline")[0]) == 11434


def test_one_that_does_not_say_what_it_is_like() -> None:
    _, problem = engine("mine", None)
    assert problem is not None
    assert "nothing says what kind of build engine 'mine' is: add like:" in problem
