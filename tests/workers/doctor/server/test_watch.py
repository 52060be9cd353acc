"""How long and how often a server is looked at, by a clock of the test's own."""

from __future__ import annotations

from dataclasses import dataclass

from tests.workers.doctor.server import metrics
from tests.workers.doctor.server.answering import Answer, answering, llama
from workers.doctor.server.client import LiveServer
from workers.doctor.server.identify import identify
from workers.doctor.server.watch import Watched, watch


@dataclass
class Clock:
    """Moves when somebody waits; `interrupted` is when Ctrl-C is pressed."""

    at: float = 0.0
    interrupted: float = float("inf")

    def now(self) -> float:
        """The time, s."""
        return self.at

    def pause(self, seconds: float) -> None:
        """Waits."""
        self.at += seconds
        if self.at >= self.interrupted:
            raise KeyboardInterrupt


def watched(seconds: float, clock: Clock, ticks: list[float] | None = None) -> Watched:
    told = ticks if ticks is not None else []
    with answering(llama(Answer(metrics.llama({})))) as url, LiveServer(url) as live:
        return watch(live, identify(live), seconds, told.append, clock.pause, clock.now)


def test_a_window_has_a_look_at_both_ends() -> None:
    clock = Clock()
    found = watched(10.0, clock)
    assert clock.at == 10.0
    assert len(found.looks) == 21
    assert found.ended_early == ""


def test_what_is_left_is_told() -> None:
    ticks: list[float] = []
    watched(1.0, Clock(), ticks)
    assert ticks == [1.0, 0.75, 0.5, 0.25, 0.0]


def test_ctrl_c_ends_the_window_and_keeps_what_was_seen() -> None:
    found = watched(10.0, Clock(interrupted=2.0))
    assert len(found.looks) == 4
    assert found.ended_early == ""
