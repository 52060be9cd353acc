"""The sampler: a thread that reads while requests are served."""

from __future__ import annotations

import itertools
import os
import threading

import pytest

from tests.workers.gates.scenes import CPU, GPU
from workers.gpu.cpu import CpuReader
from workers.gpu.reader import Reading
from workers.gpu.sampler import TelemetrySampler, reader_for
from workers.gpu.scripted import ScriptedReader

SCRIPT = [Reading(mem_used_mib=float(m), power_w=100.0) for m in (500, 600, 550)]


class Counting(ScriptedReader):
    """Tells when it was asked so many times."""

    def __init__(self, enough: int) -> None:
        super().__init__(SCRIPT)
        self._enough, self.reached = enough, threading.Event()

    def read(self) -> Reading:
        reading = super().read()
        if self.taken >= self._enough:
            self.reached.set()
        return reading


def test_it_reads_on_its_own_until_it_is_left() -> None:
    reader = Counting(enough=4)

    with TelemetrySampler(reader, interval_ms=1) as sampler:
        assert reader.reached.wait(10.0)

    taken = reader.taken
    assert sampler.summary()["samples"] == taken
    assert reader.closed


def test_the_first_reading_is_the_rig_after_load() -> None:
    with TelemetrySampler(ScriptedReader(SCRIPT), interval_ms=10_000) as sampler:
        pass

    told = sampler.summary()
    assert (told["mem_loaded_mib"], told["mem_peak_mib"]) == (500.0, 600.0)


def test_the_level_before_the_launch_is_taken_off() -> None:
    with TelemetrySampler(ScriptedReader(SCRIPT), 10_000, before_mib=100.0) as sampler:
        pass

    assert sampler.summary()["mem_loaded_mib"] == 400.0


def test_without_marks_the_whole_time_is_busy() -> None:
    ticks = itertools.count()
    with TelemetrySampler(
        ScriptedReader(SCRIPT), 10_000, clock=lambda: float(next(ticks))
    ) as sampler:
        pass

    assert sampler.summary()["energy_j"] == 100.0


def test_with_marks_only_the_time_inside_is() -> None:
    ticks = itertools.count()
    reader = ScriptedReader([Reading(power_w=w) for w in (10.0, 200.0, 200.0, 10.0)])
    with TelemetrySampler(reader, 10_000, clock=lambda: float(next(ticks))) as sampler:  # noqa: SIM117
        with sampler.busy():
            pass

    told = sampler.summary()
    assert (told["power_w"], told["energy_j"], told["busy_s"]) == (200.0, 200.0, 1.0)


def test_figures_may_be_asked_for_while_it_runs() -> None:
    with TelemetrySampler(ScriptedReader(SCRIPT), interval_ms=10_000) as sampler:
        assert sampler.summary()["mem_loaded_mib"] == 500.0


def test_it_ends_and_closes_also_when_a_request_fails() -> None:
    reader = ScriptedReader(SCRIPT)

    with pytest.raises(ValueError, match="request"), TelemetrySampler(reader, 10_000):
        raise ValueError("request")

    assert reader.closed


def test_the_course_has_a_row_for_each_reading() -> None:
    with TelemetrySampler(ScriptedReader(SCRIPT), interval_ms=10_000) as sampler:
        pass

    assert [row[1] for row in sampler.series().rows] == [500.0, 600.0]


def test_a_cpu_rig_is_read_through_the_engines_processes() -> None:
    assert isinstance(reader_for(CPU, os.getpid()), CpuReader)


def test_a_rig_whose_card_is_not_there_is_said_in_words() -> None:
    with pytest.raises(LookupError, match="GPU-0"):
        reader_for(GPU, os.getpid())
