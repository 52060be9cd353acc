"""Who computes on which card."""

from __future__ import annotations

import os

from tests.workers.gpu.fake_nvml import FakeCard, FakeNvml
from workers.gpu.holders import cards_in_use, pids_by_card

SOMEBODY = 2**22 + 3  # no process has a number this high


def test_processes_are_told_card_by_card() -> None:
    api = FakeNvml(FakeCard(uuid="GPU-0", processes=[(5, 100), (6, None)]), FakeCard(uuid="GPU-1"))
    assert pids_by_card(api) == {"GPU-0": {5, 6}, "GPU-1": frozenset()}
    assert api.open == 0


def test_a_card_is_in_use_by_others_only() -> None:
    api = FakeNvml(
        FakeCard(uuid="GPU-0", processes=[(os.getpid(), 100)]),
        FakeCard(uuid="GPU-1", processes=[(SOMEBODY, 100)]),
        FakeCard(uuid="GPU-2"),
    )
    assert cards_in_use(api) == ("GPU-1",)


def test_without_a_driver_there_is_nothing_to_tell() -> None:
    assert pids_by_card(FakeNvml(problem="Driver Not Loaded")) == {}
