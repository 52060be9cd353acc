"""Walking a space: which candidates there are, in which order."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import assignments, candidates, is_active, is_forbidden, names_of
from tests.search_spaces.spaces import axes, space, walked

DFLASH = "model: m, drafter: d"


def test_the_last_axis_varies_fastest() -> None:
    given = walked(axes("ctx: [128, 64], batch: [1, 2]"))
    assert [(c.ctx, c.batch) for c in given] == [(128, 1), (128, 2), (64, 1), (64, 2)]


def test_a_space_without_axes_has_one_candidate() -> None:
    assert walked(space()) == [Candidate(model="m")]


def test_an_inactive_parameter_is_absent() -> None:
    given = axes(
        "spec: [none, draft-dflash], n_max: {min: 1, max: 3, when: spec != 'none'}", fixed=DFLASH
    )
    assert [(c.spec, c.n_max) for c in walked(given)] == [
        ("none", None),
        ("draft-dflash", 1),
        ("draft-dflash", 2),
        ("draft-dflash", 3),
    ]
    assert "n_max" not in next(assignments(given))


def test_a_pair_may_have_a_condition_and_be_read_in_parts() -> None:
    given = axes(
        "ctx: [64, 128], kv: {values: [f16/f16, q8_0/q5_1], when: ctx > 64}, "
        "batch: {values: [1, 2], when: kv_v == 'q5_1'}"
    )
    assert [(c.ctx, c.kv, c.batch) for c in walked(given)] == [
        (64, "f16/f16", 2048),
        (128, "f16/f16", 2048),
        (128, "q8_0/q5_1", 1),
        (128, "q8_0/q5_1", 2),
    ]


def test_conditions_may_read_fixed_values_and_whole_pairs() -> None:
    given = axes(
        "kv_k: [f16, q8_0], kv_v: [f16], batch: {values: [1], when: kv == 'q8_0/f16' and ctx}",
        fixed="model: m, ctx: 64",
    )
    assert [(c.kv, c.batch) for c in walked(given)] == [("f16/f16", 2048), ("q8_0/f16", 1)]


def test_a_condition_on_an_absent_parameter_does_not_hold() -> None:
    given = axes(
        "spec: [none, ngram-mod], n_max: {values: [4, 8], when: spec != 'none'}, "
        "batch: {values: [1, 2], when: n_max > 4}"
    )
    assert [(c.n_max, c.batch) for c in walked(given)] == [
        (None, 2048),
        (4, 2048),
        (8, 1),
        (8, 2),
    ]


def test_equal_launches_are_one_candidate() -> None:
    """Without `when` too, whichever of the two axes comes first."""
    for parameters in (
        "spec: [none, draft-dflash], n_max: [1, 2]",
        "n_max: [1, 2], spec: [none, draft-dflash]",
    ):
        given = walked(axes(parameters, fixed=DFLASH))
        assert len(given) == 3
        assert {(c.spec, c.n_max, c.drafter) for c in given} == {
            ("none", None, None),
            ("draft-dflash", 1, "d"),
            ("draft-dflash", 2, "d"),
        }


def test_an_axis_that_this_launch_ignores_is_not_walked() -> None:
    """A million draft lengths of no draft would be a million times the same candidate."""
    given = axes("spec: [none, draft-dflash], n_max: {min: 1, max: 1000000}", fixed=DFLASH)
    firsts = list(itertools.islice(candidates(given), 3))
    assert [c.n_max for c, _ in firsts] == [None, 1, 2]
    assert not is_active(given, "n_max", {"model": "m", "spec": "none"})
    assert is_active(given, "n_max", {"model": "m", "spec": "draft-dflash"})


def test_a_forbidden_candidate_comes_with_its_rule() -> None:
    given = space("parameters: {ctx: [64, 128, 256]}\nforbid: [ctx == 128, ctx > 64]")
    assert [(c.ctx, rule) for c, rule in candidates(given)] == [
        (64, None),
        (128, "ctx == 128"),
        (256, "ctx > 64"),
    ]


@pytest.mark.parametrize(
    "order", ["spec: [none, ngram-mod], n_max: [8, 4]", "n_max: [8, 4], spec: [none, ngram-mod]"]
)
def test_a_rule_does_not_forbid_a_launch_for_what_it_ignores(order: str) -> None:
    given = space(f"parameters: {{{order}}}\nforbid: [n_max > 4]")
    assert {(c.spec, c.n_max) for c in walked(given)} == {("none", None), ("ngram-mod", 4)}
    assert is_forbidden(given, {"model": "m", "spec": "none", "n_max": 8}) is None
    assert is_forbidden(given, {"model": "m", "spec": "ngram-mod", "n_max": 8}) == "n_max > 4"


def test_names_have_every_parameter_and_pairs_both_ways() -> None:
    assert names_of({})["spec"] == "none"
    assert names_of({})["n_max"] is None
    assert names_of({"kv": "q8_0/q5_1"}).items() >= {"kv_k": "q8_0", "kv_v": "q5_1"}.items()
    assert names_of({"kv_k": "q8_0", "kv_v": "q5_1"})["kv"] == "q8_0/q5_1"
    assert names_of({"kv_k": "q8_0"})["kv"] is None


_AXES = {
    "ctx": "[64, 128]",
    "kv": "[f16/f16, q8_0/q5_1]",
    "spec": "[none, ngram-mod, draft-dflash]",
    "n_max": "{min: 1, max: 3}",
    "p_min": "{min: 0.0, max: 0.5, step: 0.25}",
    "draft_kv": "[f16/f16, q8_0/q8_0]",
}


def _every_order(order: list[str], rules: list[str]) -> Space:
    order = order if "spec" in order else ["spec", *order]
    return space(
        f"parameters: {{{', '.join(f'{name}: {_AXES[name]}' for name in order)}}}\nforbid: {rules}",
        fixed=DFLASH,
    )


@given(
    order=st.lists(st.sampled_from(sorted(_AXES)), unique=True),
    rules=st.lists(st.sampled_from(["n_max > 2", "ctx == 64 and p_min > 0", "kv_k == 'f16'"])),
)
def test_a_walk_is_the_plain_product_without_equal_launches(
    order: list[str], rules: list[str]
) -> None:
    """Skipped axes and remembered verdicts change how long it takes, not what comes out."""
    given = _every_order(order, rules)
    names = list(given.parameters)
    product = itertools.product(*(given.parameters[name] for name in names))
    plain = [{**given.fixed, **dict(zip(names, values, strict=True))} for values in product]
    walk = list(candidates(given))
    assert {c for c, _ in walk} == {candidate_of(assignment) for assignment in plain}
    assert len({c for c, _ in walk}) == len(walk)
    assert dict(walk) == {candidate_of(a): is_forbidden(given, a) for a in plain}
