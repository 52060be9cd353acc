"""On a host with an NVIDIA card: every query is asked for real."""

from __future__ import annotations

import os

import pytest

from workers.gpu.discover import discover_rigs
from workers.gpu.nvml import NvmlReader, inventory
from workers.gpu.sampler import TelemetrySampler
from workers.gpu.settle import settle

FOUND = inventory()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not FOUND.cards, reason=FOUND.problem or "no NVIDIA card"),
]


def reader() -> NvmlReader:
    return NvmlReader([FOUND.cards[0].uuid], os.getpid())


def test_each_visible_card_is_a_rig() -> None:
    rigs = discover_rigs()

    assert rigs
    assert all(rig.cards and rig.driver and rig.vram_mib > 0 for rig in rigs)


def test_a_card_tells_its_memory_temperature_and_clock() -> None:
    reading = reader().read()

    assert reading.mem_used_mib is not None
    assert reading.mem_total_mib == pytest.approx(FOUND.cards[0].memory_mib, rel=0.01)
    assert reading.temperature_c is not None
    assert reading.sm_clock_mhz is not None


def test_what_is_not_told_is_named() -> None:
    asked = reader()
    reading = asked.read()

    missing = [
        name for name in ("power_w", "energy_j", "throttle") if getattr(reading, name) is None
    ]
    assert len(asked.unsupported) >= len(missing)


def test_an_idle_card_is_settled_at_once() -> None:
    level = reader().read().mem_used_mib
    assert level is not None

    assert settle(reader(), level, tolerance_mib=512.0).ready


def test_sampling_gives_a_summary() -> None:
    with TelemetrySampler(reader(), interval_ms=10) as sampler, sampler.busy():
        pass

    assert sampler.summary()["samples"] >= 4
