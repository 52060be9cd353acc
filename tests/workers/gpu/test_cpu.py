"""A CPU rig: the memory of the engine's processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.gpu.cpu import CpuReader, parse_status

STATUS = """Name:\tllama-server
State:\tS (sleeping)
VmPeak:\t  900000 kB
VmHWM:\t  211724 kB
VmRSS:\t  205824 kB
VmSwap:\t    2048 kB
Threads:\t7
"""


def test_the_memory_lines_of_a_status_are_read_as_mib() -> None:
    assert parse_status(STATUS) == {
        "peak": pytest.approx(206.76, abs=0.01),
        "rss": 201.0,
        "swapped": 2.0,
    }


def test_a_zombie_has_no_memory() -> None:
    assert parse_status("Name:\tllama-server\nState:\tZ (zombie)\n") is None


@given(st.text())
def test_no_text_makes_it_raise(text: str) -> None:
    parse_status(text)


def test_a_reading_sums_the_processes_that_live(tmp_path: Path) -> None:
    status = tmp_path / str(os.getpid()) / "status"
    status.parent.mkdir()
    status.write_text(STATUS)

    reading = CpuReader(os.getpid(), proc=tmp_path).read()

    assert (reading.mem_used_mib, reading.mem_engine_mib) == (201.0, 201.0)
    assert reading.mem_peak_mib == pytest.approx(206.76, abs=0.01)
    assert reading.mem_swapped_mib == 2.0
    assert [process.pid for process in reading.processes] == [os.getpid()]


def test_a_real_process_holds_memory() -> None:
    reading = CpuReader(os.getpid()).read()

    assert reading.mem_used_mib is not None
    assert reading.mem_total_mib is not None
    assert 1.0 < reading.mem_used_mib < reading.mem_total_mib


def test_where_there_is_no_proc_the_platform_is_asked(tmp_path: Path) -> None:
    reading = CpuReader(os.getpid(), proc=tmp_path / "none").read()

    assert reading.mem_used_mib is not None
    assert reading.mem_swapped_mib == 0.0


def test_children_of_the_engine_count() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        pids = {process.pid for process in CpuReader(os.getpid()).read().processes}
        child.communicate(b"\n")

    assert child.pid in pids


def test_an_engine_that_has_ended_holds_nothing_that_could_be_told() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    reader = CpuReader(child.pid)
    child.wait()

    assert reader.read().mem_used_mib is None


def test_what_a_cpu_never_tells_is_named() -> None:
    reader = CpuReader(os.getpid())

    assert any("power" in word for word in reader.unsupported)
    assert reader.throttle_reasons == ()
