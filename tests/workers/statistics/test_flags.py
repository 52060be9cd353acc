"""Flags of a measurement."""

from __future__ import annotations

from tests.workers.statistics.samples import chunks, timed
from workers.contract.outcome import Estimate
from workers.statistics.flags import MEANINGS, chunk_flags, describe, throughput_flags

NARROW = Estimate("tok_s", 100.0, 99.0, 101.0)


def test_a_good_measurement_has_no_flags() -> None:
    assert throughput_flags(timed([[[1000], [1000]]] * 2), NARROW, 0.02) == ()


def test_one_launch_is_flagged() -> None:
    assert throughput_flags(timed([[[1000], [1000]]]), NARROW, 0.02) == ("single_launch",)


def test_prompts_timed_once_are_flagged() -> None:
    assert throughput_flags(timed([[[1000]]]), NARROW, 0.02) == ("single_launch", "no_repeats")


def test_a_pass_in_each_of_two_launches_is_a_repetition() -> None:
    assert throughput_flags(timed([[[1000]]] * 2), NARROW, 0.02) == ()


def test_an_interval_wider_than_asked_for_is_flagged() -> None:
    wide = Estimate("tok_s", 100.0, 90.0, 110.0)
    assert throughput_flags(timed([[[1000], [1000]]] * 2), wide, 0.02) == ("interval_wide",)


def test_missing_prompts_are_flagged() -> None:
    samples = timed([[[1000, 2000], [1000, 2000]]] * 2)
    cut = [s for s in samples if (s.launch, s.label) != (1, "p1")]
    assert throughput_flags(cut, NARROW, 0.02) == ("uneven_prompts",)


def test_few_chunks_are_flagged() -> None:
    assert chunk_flags(chunks([1, 2])) == ("few_chunks",)


def test_every_flag_has_words() -> None:
    assert all(describe(flag) == words for flag, words in MEANINGS.items())
    assert describe("draft_engaged_late") == "draft engaged late"
