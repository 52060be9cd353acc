"""Compute buffers are remembered from probes and never guessed without one."""

from __future__ import annotations

import dataclasses

from workers.memory.calibration import Calibration, ComputeKey, ComputeSize

KEY = ComputeKey("target", n_ubatch=512, flash_attn=True)


def test_without_a_probe_nothing_is_known() -> None:
    assert Calibration().lookup(KEY, 4096) is None


def test_a_probe_is_exact_where_it_was_taken() -> None:
    known = Calibration().remember(KEY, 4096, (300,), host=20)
    assert known.lookup(KEY, 4096) == ComputeSize((300,), certain=True, host=20)


def test_another_batch_or_attention_needs_its_own_probe() -> None:
    known = Calibration().remember(KEY, 4096, (300,))
    assert known.lookup(dataclasses.replace(KEY, n_ubatch=2048), 4096) is None
    assert known.lookup(dataclasses.replace(KEY, flash_attn=False), 4096) is None


def test_between_two_probes_it_follows_the_line() -> None:
    known = Calibration().remember(KEY, 1000, (100, 10)).remember(KEY, 3000, (300, 30))
    assert known.lookup(KEY, 2000) == ComputeSize((200, 20), certain=False)


def test_above_all_probes_the_largest_is_a_certain_least() -> None:
    known = Calibration().remember(KEY, 1000, (100,))
    assert known.lookup(KEY, 9000) == ComputeSize((100,), certain=True)


def test_below_all_probes_the_smallest_is_an_estimate() -> None:
    known = Calibration().remember(KEY, 1000, (100,))
    assert known.lookup(KEY, 500) == ComputeSize((100,), certain=False)


def test_remembering_leaves_the_old_calibration_alone() -> None:
    empty = Calibration()
    empty.remember(KEY, 1000, (100,))
    assert empty.lookup(KEY, 1000) is None
