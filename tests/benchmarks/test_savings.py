"""The benchmark of repetitions saved: what it reads, and what it counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.recorded import Rates, experiments
from benchmarks.savings import FIXED, Count, simulated

TABLE = """# source: made up
gpu,n_max,p_min,overall,code,prose,bash
a,0,,60,61,60,62
a,3,0,90,120,70,110
a,5,0,80,110,,100
b,0,,30,30,30,30
"""
FAST = Rates("fast", {"code": 100.0, "prose": 100.0})
SLOW = Rates("slow", {"code": 20.0, "prose": 20.0})


def test_a_table_is_one_experiment_for_each_card_with_several_candidates(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TABLE)

    ((name, found),) = experiments(tmp_path)

    assert name == "table a"
    assert [rates.name for rates in found] == ["0/", "3/0"]
    assert found[1].tok_s == {"code": 120.0, "prose": 70.0, "bash": 110.0}


def test_quiet_repetitions_stop_at_the_least() -> None:
    count = simulated([FAST, SLOW], (0.0001, 0.0001), seed=1)

    assert count.fixed == 2 * FIXED.launches * FIXED.max_passes * 2
    assert count.precise == 2 * FIXED.launches * FIXED.passes * 2
    assert (count.moved, count.lost, count.extra) == (0, 0, 0)


def test_clearly_beaten_candidates_are_launched_once_when_the_spread_is_known() -> None:
    # The first ten of two launches each bring the ten degrees of freedom that are asked for.
    crowd = [FAST] * 10 + [SLOW] * 5

    count = simulated(crowd, (0.01, 0.01), seed=1)

    assert count.both == count.precise - 5 * FIXED.passes * 2
    assert count.lost == 0


def test_counts_add_up() -> None:
    total = Count(1, 100, 50, 40, 0, 0, 1) + Count(1, 100, 50, 20, 1, 1, 0)

    assert total == Count(2, 200, 100, 60, 1, 1, 1)
    assert total.row.split(" | ")[2] == "50%"


@pytest.mark.parametrize("text", ["", "n_max,overall\n1,5\n"])
def test_other_tables_are_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text(text)

    assert list(experiments(tmp_path)) == []
