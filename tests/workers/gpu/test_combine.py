"""Several cards read as one rig."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workers.gpu.combine import combine
from workers.gpu.reader import ProcessMemory, Reading


def test_one_card_is_itself() -> None:
    reading = Reading(power_w=10.0)

    assert combine([reading]) is reading


def test_a_figure_that_one_card_does_not_tell_is_not_told_for_the_pair() -> None:
    both = combine([Reading(power_w=100.0, mem_used_mib=1.0), Reading(mem_used_mib=2.0)])

    assert (both.power_w, both.mem_used_mib) == (None, 3.0)


def test_a_pair_is_throttled_for_the_reasons_of_either() -> None:
    both = combine([Reading(throttle=frozenset({"a"})), Reading(throttle=frozenset({"b"}))])

    assert both.throttle == frozenset({"a", "b"})


def test_a_process_on_both_cards_holds_the_sum() -> None:
    both = combine(
        [
            Reading(processes=(ProcessMemory(7, 10.0), ProcessMemory(8, None))),
            Reading(processes=(ProcessMemory(7, 5.0), ProcessMemory(8, 3.0))),
        ]
    )

    assert both.processes == (ProcessMemory(7, 15.0), ProcessMemory(8, None))


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=5))
def test_the_hottest_card_is_never_cooler_than_any(temperatures: list[float]) -> None:
    rig = combine([Reading(temperature_c=t, sm_clock_mhz=t) for t in temperatures])

    assert rig.temperature_c == max(temperatures)
    assert rig.sm_clock_mhz is not None
    assert rig.sm_clock_mhz <= max(temperatures) * (1 + 1e-9)
