"""The demo space: what `make sweep` walks on a machine without a GPU."""

from __future__ import annotations

from collections import Counter

from search_spaces.load import load
from search_spaces.metrics import Facet
from search_spaces.space import Space
from search_spaces.walk import baseline_of
from tests.search_spaces.spaces import walked


def demo() -> Space:
    return load("kv_dflash")


def test_it_has_96_candidates_and_none_is_forbidden() -> None:
    """3 models x 4 K/V pairs x (no speculation + 7 draft lengths)."""
    given = walked(demo())
    assert len(given) == 96
    assert Counter(c.spec for c in given) == {"none": 12, "draft-dflash": 84}
    assert {c.n_max for c in given} == {None, 1, 2, 3, 4, 5, 6, 7}


def test_each_model_has_its_own_baseline() -> None:
    bases = {baseline_of(demo(), c) for c in walked(demo())}
    assert len(bases) == 3
    assert {(b.spec, b.kv, b.drafter) for b in bases} == {("none", "f16/f16", None)}


def test_its_baselines_are_among_its_candidates() -> None:
    given = set(walked(demo()))
    assert {baseline_of(demo(), c) for c in given} <= given


def test_it_measures_speed_quality_and_memory() -> None:
    assert demo().facets == {Facet.THROUGHPUT, Facet.PERPLEXITY, Facet.MEMORY}


def test_its_budget_covers_more_than_the_baselines() -> None:
    assert 3 < demo().budget.trials <= 96
