"""Settling: the rig's memory is back before the next launch."""

from __future__ import annotations

from workers.gpu.reader import ProcessMemory, Reading
from workers.gpu.scripted import ScriptedReader
from workers.gpu.settle import Settled, settle


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def wait(*readings: Reading, level: float = 500.0) -> Settled:
    clock = Clock()
    return settle(
        ScriptedReader(readings),
        level,
        rig="rtx5090",
        timeout_s=5.0,
        clock=clock,
        sleep=clock.sleep,
    )


def test_a_rig_at_its_level_is_ready_at_once() -> None:
    found = wait(Reading(mem_used_mib=520.0))

    assert (found.ready, found.waited_s) == (True, 0.0)


def test_memory_that_comes_back_late_is_waited_for() -> None:
    found = wait(*(Reading(mem_used_mib=m) for m in (20_000.0, 9_000.0, 510.0)))

    assert found.ready
    assert found.waited_s == 0.5


def test_memory_that_does_not_come_back_is_a_quarantine_that_names_who_holds_it() -> None:
    stuck = Reading(mem_used_mib=20_500.0, processes=(ProcessMemory(4242, 20_000.0),))

    found = wait(stuck)

    assert not found.ready
    assert found.quarantine is not None
    assert "rtx5090 still holds 20000 MiB more" in found.quarantine
    assert "pid 4242 (20000 MiB)" in found.quarantine


def test_memory_that_nobody_admits_to_is_said_so() -> None:
    found = wait(Reading(mem_used_mib=20_500.0))

    assert found.quarantine is not None
    assert "No process admits" in found.quarantine


def test_a_rig_that_does_not_tell_its_memory_cannot_be_waited_for() -> None:
    assert wait(Reading()).ready
