"""The benchmark of searches: its surfaces, its scores, and the ways it compares."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from benchmarks.search.__main__ import SURFACES
from benchmarks.search.public_27b import AT_DEPTH, DEPTHS, at_depth
from benchmarks.search.scores import found, score, whole
from benchmarks.search.surface import Surface
from benchmarks.search.ways import ways

every_surface = pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.space.name)


@every_surface
def test_everything_found_is_the_whole_front(surface: Surface) -> None:
    trials = [(candidate, surface.truth(candidate)) for candidate in surface.candidates]
    assert found(surface, trials) == whole(surface)


@every_surface
def test_some_candidates_fail_and_most_do_not(surface: Surface) -> None:
    failed = sum(surface.truth(candidate).point is None for candidate in surface.candidates)
    assert 0 < failed < len(surface.candidates) / 2


@every_surface
def test_noise_is_small_and_failures_have_none(surface: Surface) -> None:
    rng = random.Random(0)
    for candidate in islice(surface.candidates, 0, None, 50):
        exact, seen = surface.truth(candidate), surface.measured(candidate, rng)
        if exact.point is None:
            assert seen.point is None
        else:
            assert seen.point is not None
            assert abs(seen.point[0] / exact.point[0] - 1) < 0.3
            assert seen.point[1:] == exact.point[1:]


@every_surface
@pytest.mark.parametrize("way", ways())
def test_every_way_proposes_candidates_of_the_space(way: str, surface: Surface) -> None:
    tried = list(ways()[way](surface, 0, 12))
    assert len(tried) == 12
    known = {candidate.canonical() for candidate in surface.candidates}
    assert {candidate.canonical() for candidate, _ in tried} <= known


@every_surface
def test_ours_repeats_nothing(surface: Surface) -> None:
    most = max(surface.at_trials)
    found_out = score(surface, list(ways()["ours"](surface, 0, most)), whole(surface))
    assert found_out.repeats == 0
    assert list(found_out.by_trials) == sorted(found_out.by_trials) or min(found_out.by_trials) > 0


def test_speeds_at_depth_are_those_of_the_table() -> None:
    for bits, rates in AT_DEPTH.items():
        assert [at_depth(bits, depth) for depth in DEPTHS] == pytest.approx(list(rates))
