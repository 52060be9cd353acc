"""The benchmarks of fleets run, and their figures mean what they say."""

from __future__ import annotations

from pathlib import Path

from benchmarks.search.__main__ import found, volume
from benchmarks.search.surface import SPACE, measured, truth
from benchmarks.search.ways import ways
from benchmarks.utilisation import Worked, simulate
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments


def test_a_small_fleet_is_simulated(tmp_path: Path) -> None:
    run = simulate(2, 3, tmp_path)
    assert run.rigs == 2
    assert run.trials >= 6
    assert 0.5 < run.whole <= 1.0


def test_idle_time_is_not_work() -> None:
    worked = Worked({"a": [(0.0, 10.0), (10.0, 20.0)], "b": [(5.0, 10.0), (15.0, 25.0)]})
    assert worked.whole == (0.0, 25.0)
    assert worked.middle == (5.0, 20.0)
    assert worked.share(5.0, 20.0) == (15.0 + 10.0) / 30.0


def test_everything_found_is_the_whole_front() -> None:
    every = [candidate_of(a) for a in assignments(SPACE)]
    trials = [(c, truth(c)) for c in every]
    assert found(trials) == volume([t.point for _, t in trials if t.point is not None])


def test_every_way_proposes_candidates_of_the_space() -> None:
    known = {candidate_of(a) for a in assignments(SPACE)}
    for way in ways().values():
        tried = list(way(0, 12))
        assert len(tried) == 12
        assert {c for c, _ in tried} <= known


def test_noise_is_small_and_failures_have_none() -> None:
    import random

    rng = random.Random(0)
    for candidate in [candidate_of(a) for a in assignments(SPACE)][::50]:
        exact, seen = truth(candidate), measured(candidate, rng)
        if exact.tok_s is None:
            assert seen.tok_s is None
        else:
            assert seen.tok_s is not None
            assert abs(seen.tok_s / exact.tok_s - 1) < 0.1
