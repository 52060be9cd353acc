"""A trace: what a job has seen so far, whenever it is asked."""

from __future__ import annotations

import pytest

from workers.contract.outcome import GateVerdict, JobTrace, LaunchRecord
from workers.trace import LOG_TAIL_CHARS, Trace


def launch(start_s: float) -> LaunchRecord:
    return LaunchRecord(("llama-server",), "launch-0.log", 42, start_s)


def test_a_trace_of_nothing_is_empty_but_for_its_time() -> None:
    frozen = Trace().freeze()

    assert frozen == JobTrace(wall_s=frozen.wall_s)
    assert frozen.wall_s >= 0


def test_starts_add_up() -> None:
    trace = Trace()
    trace.launched(launch(2.0))
    trace.launched(launch(3.0))

    assert trace.freeze().start_s == 5.0
    assert len(trace.freeze().launches) == 2


def test_time_inside_counts_as_facet_time_also_when_it_ends_in_an_error() -> None:
    trace = Trace()
    with trace.measuring():
        pass
    first = trace.facets_s
    with pytest.raises(RuntimeError), trace.measuring():
        raise RuntimeError

    assert 0 < first < trace.facets_s <= trace.elapsed_s()


def test_only_the_end_of_a_log_travels() -> None:
    trace = Trace(log="head" + "x" * LOG_TAIL_CHARS + "tail")

    assert len(trace.freeze().log_tail) == LOG_TAIL_CHARS
    assert trace.freeze().log_tail.endswith("tail")


def test_what_is_frozen_does_not_change_any_more() -> None:
    trace = Trace()
    trace.effective["n_max"] = 7
    trace.telemetry["power_w"] = 300.0
    frozen = trace.freeze()

    trace.gates.append(GateVerdict("text_sane", True))
    trace.effective["n_max"] = 3
    trace.telemetry["power_w"] = 0.0
    trace.launched(launch(1.0))

    assert (frozen.gates, frozen.launches) == ((), ())
    assert (frozen.effective, frozen.telemetry) == ({"n_max": 7}, {"power_w": 300.0})
