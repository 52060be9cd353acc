"""From readings to figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.gpu.reader import Reading
from workers.gpu.telemetry import COLUMNS, Moment, summarise, thin


def moments(*readings: Reading, busy: str = "") -> list[Moment]:
    """One reading a second; `busy` has a letter for each, b for busy (all where empty)."""
    marks = busy or "b" * len(readings)
    return [
        Moment(float(i), r, m == "b") for i, (r, m) in enumerate(zip(readings, marks, strict=True))
    ]


def used(*mib: float) -> list[Reading]:
    return [Reading(mem_used_mib=m, mem_total_mib=1000.0) for m in mib]


def test_without_readings_there_are_no_figures() -> None:
    assert summarise([]) == {}


def test_what_was_not_told_is_absent() -> None:
    told = summarise(moments(Reading(power_w=5.0)))

    assert "mem_loaded_mib" not in told
    assert "throttle_hw_thermal" not in told
    assert told["power_w"] == 5.0


def test_memory_is_what_the_rig_holds_above_its_level() -> None:
    told = summarise(moments(*used(500.0, 640.0, 620.0)), before_mib=100.0)

    assert (told["mem_loaded_mib"], told["mem_peak_mib"]) == (400.0, 540.0)
    assert (told["mem_before_mib"], told["mem_used_share"]) == (100.0, 0.64)


def test_the_engines_own_share_is_preferred_and_its_peak_follows_the_card() -> None:
    readings = [
        Reading(mem_used_mib=500.0, mem_engine_mib=380.0),
        Reading(mem_used_mib=640.0),
        Reading(mem_used_mib=600.0, mem_engine_mib=470.0),
    ]

    told = summarise(moments(*readings))

    assert (told["mem_loaded_mib"], told["mem_peak_mib"]) == (380.0, 520.0)


def test_a_peak_that_the_system_saw_between_two_readings_counts() -> None:
    told = summarise(moments(Reading(mem_used_mib=100.0, mem_peak_mib=180.0)))

    assert told["mem_peak_mib"] == 180.0


def test_energy_comes_from_the_counter_where_there_is_one() -> None:
    readings = [Reading(energy_j=100.0, power_w=9.0), Reading(energy_j=130.0, power_w=9.0)]

    assert summarise(moments(*readings))["energy_j"] == 30.0


def test_energy_is_integrated_from_power_where_there_is_none() -> None:
    readings = [Reading(power_w=10.0), Reading(power_w=20.0), Reading(power_w=20.0)]

    assert summarise(moments(*readings))["energy_j"] == 35.0


def test_idle_stretches_count_neither_for_energy_nor_for_power() -> None:
    readings = [Reading(power_w=w) for w in (10.0, 10.0, 300.0, 300.0, 10.0)]

    told = summarise(moments(*readings, busy="--bb-"))

    assert (told["power_w"], told["energy_j"], told["busy_s"]) == (300.0, 300.0, 1.0)


def test_throttling_is_a_share_of_the_busy_moments_for_every_reason_that_can_be_named() -> None:
    hot = Reading(throttle=frozenset({"hw_thermal"}))
    cool = Reading(throttle=frozenset())

    told = summarise(moments(hot, hot, cool, cool, busy="-bbb"), 0.0, ["hw_thermal", "gpu_idle"])

    assert told["throttle_hw_thermal"] == pytest.approx(1 / 3)
    assert told["throttle_gpu_idle"] == 0.0


def test_shared_memory_counts_by_its_growth() -> None:
    readings = [Reading(mem_shared_mib=m) for m in (200.0, 1100.0, 1000.0)]

    assert summarise(moments(*readings))["mem_shared_growth_mib"] == 900.0


def test_the_rate_of_readings_is_told() -> None:
    assert summarise(moments(*used(1.0, 1.0, 1.0)))["samples_hz"] == 1.0


@given(st.lists(st.floats(0, 1e5), min_size=1, max_size=50), st.floats(0, 1e5))
def test_a_peak_is_never_below_what_was_loaded(mib: list[float], before: float) -> None:
    told = summarise(moments(*used(*mib)), before)

    assert told["mem_peak_mib"] >= told["mem_loaded_mib"] >= 0.0


@given(st.integers(0, 1000), st.integers(2, 50))
def test_a_thinned_course_keeps_both_ends_and_its_limit(count: int, most: int) -> None:
    series = thin(moments(*used(*[float(i) for i in range(count)])), most)

    assert series.columns == (COLUMNS[:2] if count else COLUMNS[:1])
    assert len(series.rows) <= most
    if count > 1:
        assert (series.rows[0][1], series.rows[-1][1]) == (0.0, float(count - 1))
