"""Candidates and numbers in words."""

from __future__ import annotations

import pytest

from orchestrator.analysis.words import Namer, describe, number, quantity, short_name
from search_spaces.candidate import Candidate
from workers.contract.outcome import Estimate

PLAIN = Candidate(model="builtin:smollm2-135m-Q4_1")
DRAFTING = Candidate(
    model="builtin:smollm2-135m-Q8_0", spec="draft-dflash", drafter="d.gguf", n_max=3
)


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("builtin:smollm2-135m-Q4_1", "smollm2-135m-Q4_1"),
        ("hf:org/repo/file-Q4.gguf", "file-Q4"),
        ("C:\\models\\a.gguf", "a"),
        ("/models/b.gguf", "b"),
    ],
)
def test_references_are_named_without_their_place(reference: str, name: str) -> None:
    assert short_name(reference) == name


def test_names_say_what_differs_and_nothing_else() -> None:
    namer = Namer.of([PLAIN, DRAFTING])
    assert namer.name(PLAIN) == "Q4_1 · no speculation"
    assert namer.name(DRAFTING) == "Q8_0 · draft-dflash · n_max 3"


def test_a_single_candidate_is_named_by_its_main_settings() -> None:
    assert Namer.of([PLAIN]).name(PLAIN) == "smollm2-135m-Q4_1 · K/V f16/f16 · no speculation"


def test_models_without_a_common_family_keep_their_names() -> None:
    namer = Namer.of([PLAIN, Candidate(model="qwen.gguf")])
    assert namer.name(PLAIN) == "smollm2-135m-Q4_1"


def test_a_description_names_everything_that_is_set() -> None:
    assert "drafter d" in describe(DRAFTING)
    assert "ctx 4,096" in describe(DRAFTING)


@pytest.mark.parametrize(
    ("metric", "value", "shown"),
    [
        ("tok_s", 46.28, "46.3"),
        ("tok_s", 4.628, "4.63"),
        ("tok_s", 1011.4, "1,011"),
        ("ppl", 23.18456, "23.1846"),
        ("ppl_delta_pct", 0.131, "+0.13"),
        ("ppl_delta_pct", -0.131, "\N{MINUS SIGN}0.13"),
        ("ppl_delta_pct", -0.001, "0.00"),
    ],
)
def test_numbers_have_the_digits_that_people_compare(metric: str, value: float, shown: str) -> None:
    assert number(metric, value) == shown


def test_a_quantity_has_a_unit_and_an_interval() -> None:
    assert quantity(Estimate("tok_s", 46.3, 45.9, 46.8)) == "46.3 tok/s (45.9 to 46.8)"
    assert quantity(Estimate("speedup", 1.5)) == "1.50×"
