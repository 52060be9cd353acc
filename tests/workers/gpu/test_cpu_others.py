"""What other programs took of the processors, from readings and from the real counters."""

from __future__ import annotations

import os

import pytest

from workers.gpu.cpu import cpu_others_s
from workers.gpu.reader import Reading
from workers.gpu.telemetry import Moment, summarise


def moment(at_s: float, others_s: float, busy: bool = True) -> Moment:
    return Moment(at_s, Reading(cpu_others_s=others_s, cpus=2), busy)


def test_others_share_is_of_all_processors_over_busy_stretches() -> None:
    moments = [moment(0, 10.0), moment(10, 14.0)]
    assert summarise(moments)["cpu_others_share"] == pytest.approx(4.0 / 20.0)


def test_what_happens_between_requests_does_not_count() -> None:
    moments = [moment(0, 0.0), moment(1, 0.0), moment(2, 9.0, busy=False), moment(3, 9.0)]
    assert summarise(moments)["cpu_others_share"] == 0.0


def test_a_rig_that_does_not_tell_has_no_share() -> None:
    assert "cpu_others_share" not in summarise([Moment(0, Reading()), Moment(1, Reading())])


def test_the_engines_own_time_is_left_out() -> None:
    everything, without_us = cpu_others_s([]), cpu_others_s([os.getpid()])
    assert everything is not None and without_us is not None
    assert without_us < everything
