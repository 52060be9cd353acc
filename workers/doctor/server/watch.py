"""Watches a live server for a while: looks at its metrics and slots, and keeps what it saw."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from workers.doctor.server.base import Server
from workers.doctor.server.client import LiveServer, ServerError
from workers.doctor.server.exposition import NotMetricsError, Scrape, parse
from workers.doctor.server.identify import Introduction
from workers.doctor.server.slots import Look, read_slots
from workers.doctor.server.vocabulary import ServerKind
from workers.doctor.server.window import Window

_LOOKS = 20  # in a window, though no more often than _EVERY_S
_EVERY_S = 0.25

Pause = Callable[[float], None]


@dataclass(frozen=True)
class Watched:
    """What was seen until the window ended, or until `ended_early` says why it did not."""

    server: Server
    window: Window
    looks: tuple[Look, ...]
    ended_early: str = ""


def watch(
    live: LiveServer,
    introduction: Introduction,
    seconds: float,
    tick: Callable[[float], None] = lambda _: None,
    pause: Pause = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Watched:
    """Looks until `seconds` have passed; `tick` is told how many are left.

    A server that goes away ends it, and what was seen is kept. Never raises ServerError.
    """
    server = introduction.server
    scrapes: list[Scrape] = [] if introduction.first is None else [introduction.first]
    looks: list[Look] = []
    step = max(_EVERY_S, seconds / _LOOKS)
    began, problem = now(), ""
    end = began + seconds
    with_slots = server.kind is ServerKind.LLAMA_CPP
    while True:
        try:
            if scrapes:
                scrapes.append(_scrape(live, now))
            if with_slots:
                body = live.json("/slots")
                with_slots = body is not None
                if with_slots:
                    looks.append((now(), read_slots(body)))
        except ServerError as error:
            problem = f"after {now() - began:.0f} s: {error.message}"
            break
        except KeyboardInterrupt:
            break  # enough was seen
        left = end - now()
        tick(left)
        if left <= 0:
            break
        try:
            pause(min(step, left))
        except KeyboardInterrupt:
            break
    return Watched(server, Window(server.kind, tuple(scrapes)), tuple(looks), problem)


def _scrape(live: LiveServer, now: Callable[[], float]) -> Scrape:
    answer = live.get("/metrics")
    if answer.status_code != 200:
        raise ServerError(f"/metrics answers HTTP {answer.status_code}.")
    try:
        return parse(answer.text, now())
    except NotMetricsError as error:
        raise ServerError(f"/metrics is no Prometheus text any more ({error}).") from None
