"""The benchmarks of fleets run, and their figures mean what they say."""

from __future__ import annotations

from pathlib import Path

from benchmarks.utilisation import Worked, simulate


def test_a_small_fleet_is_simulated(tmp_path: Path) -> None:
    run = simulate(2, 2, 3, tmp_path)
    assert run.rigs == 2
    assert run.trials >= 6
    assert 0.5 < run.whole <= 1.0


def test_idle_time_is_not_work() -> None:
    worked = Worked({"a": [(0.0, 10.0), (10.0, 20.0)], "b": [(5.0, 10.0), (15.0, 25.0)]})
    assert worked.whole == (0.0, 25.0)
    assert worked.middle == (5.0, 20.0)
    assert worked.share(5.0, 20.0) == (15.0 + 10.0) / 30.0
