"""The baseline template: what each candidate is compared with."""

from __future__ import annotations

import pytest

from search_spaces.candidate import Candidate
from search_spaces.space import Space
from search_spaces.walk import baseline_assignment, baseline_of
from tests.search_spaces.spaces import space, walked

AXES = """
parameters:
  model: [small, large]
  ctx: [128, 64]
  kv: [q8_0/q5_1, f16/f16]
  spec: [none, draft-dflash]
  n_max: {values: [2, 4], when: spec != 'none'}
"""


def given(baseline: str = "") -> Space:
    return space(AXES + baseline, fixed="drafter: d")


LAST = Candidate(
    model="large", ctx=64, kv_k="f16", kv_v="f16", spec="draft-dflash", drafter="d", n_max=4
)


def test_it_is_the_same_model_without_speculation_unless_said_otherwise() -> None:
    assert baseline_of(given(), LAST) == Candidate(
        model="large", ctx=128, kv_k="q8_0", kv_v="q5_1", spec="none"
    )


def test_what_it_fixes_it_has() -> None:
    base = baseline_of(given("baseline: {fix: {spec: draft-dflash, n_max: 3, ctx: 999}}"), LAST)
    assert (base.spec, base.n_max, base.drafter, base.ctx) == ("draft-dflash", 3, "d", 999)


def test_there_is_one_for_each_value_of_what_per_names() -> None:
    base = given("baseline: {per: [rig, model, ctx]}")
    assert {(c.model, c.ctx) for c in {baseline_of(base, c) for c in walked(base)}} == {
        ("small", 128),
        ("small", 64),
        ("large", 128),
        ("large", 64),
    }


def test_what_is_neither_fixed_nor_per_takes_the_first_value() -> None:
    base = baseline_of(given("baseline: {fix: {spec: none}, per: []}"), LAST)
    assert (base.model, base.ctx, base.kv) == ("small", 128, "q8_0/q5_1")


def test_fix_goes_before_per() -> None:
    assert baseline_of(given("baseline: {fix: {ctx: 128}, per: [ctx]}"), LAST).ctx == 128


def test_an_axis_that_is_inactive_in_the_candidate_takes_its_first_value() -> None:
    template = given("baseline: {fix: {spec: draft-dflash}, per: [n_max]}")
    assert baseline_of(template, LAST).n_max == 4
    assert baseline_of(template, Candidate(model="small")).n_max == 2


def test_an_axis_whose_condition_fails_is_absent() -> None:
    assert "n_max" not in baseline_assignment(given(), LAST)


@pytest.mark.parametrize(
    ("baseline", "kv"),
    [
        ("fix: {kv: q4_0/q4_1}", "q4_0/q4_1"),
        ("fix: {kv_k: q4_0}", "q4_0/q5_1"),
        ("per: [kv]", "f16/f16"),
        ("per: [kv_v]", "q8_0/f16"),
    ],
)
@pytest.mark.parametrize(
    "axis", ["kv: [q8_0/q5_1, f16/f16]", "kv_k: [q8_0, f16], kv_v: [q5_1, f16]"]
)
def test_pairs_may_be_named_whole_or_in_parts(axis: str, baseline: str, kv: str) -> None:
    template = space(f"parameters: {{{axis}}}\nbaseline: {{{baseline}}}")
    assert baseline_of(template, Candidate(model="m", kv_k="f16", kv_v="f16")).kv == kv


def test_its_assignment_is_in_the_parameters_of_the_space() -> None:
    assert baseline_assignment(given("baseline: {fix: {kv_k: q4_0}}"), LAST) == {
        "drafter": "d",
        "model": "large",
        "ctx": 128,
        "kv": "q4_0/q5_1",
        "spec": "none",
    }
