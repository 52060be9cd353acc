"""Tetris as one HTML file, played in a headless browser."""

from __future__ import annotations

import time
from itertools import pairwise

from workers.quality.browser.devtools import BrowserGoneError, PageHangsError
from workers.quality.browser.page import BROWSERS, Page, browser_path, opened
from workers.quality.browser.picture import Picture
from workers.quality.sandbox.base import Sandbox
from workers.quality.score import Score, by_levels
from workers.quality.task import Task

_LEVELS = (("loads", "draws"), ("falls", "moves"), ("clears", "scores"))
_LEAST_DRAWN = 0.002  # of all pixels; a line of text is about as much
_STEPS = 3
_PRESSES = 3
_PIXELS = 2  # of a picture, eight of the page


class WebGame:
    """1: loads without an error and draws. 2: pieces fall, and keys do something. 3: full rows
    are counted and points are given.

    Only square pieces are asked for, see `terminal_game`.
    """

    name = "web_game"
    needs_cases = False

    def problem(self) -> str | None:
        """It takes a browser."""
        found = browser_path()
        return None if found else f"none of {', '.join(BROWSERS)} is installed"

    def score(self, task: Task, program: str, sandbox: Sandbox) -> Score:
        """Plays it for at most a minute. Raises SandboxError where no browser starts."""
        checks = dict.fromkeys((name for level in _LEVELS for name in level), False)
        why = ""
        with opened(sandbox, {task.file_name: program}) as (page, browser):
            try:
                why = _play(page, f"{task.file_name}?pieces=O", checks)
            except PageHangsError:
                why = "the page hangs"
            except BrowserGoneError:
                why = "the page ended the browser"
            why = browser.ended_by or why
        return by_levels(checks, _LEVELS, why)


def _play(page: Page, file: str, checks: dict[str, bool]) -> str:
    """Fills in the checks; says what went wrong, if it can be said."""
    page.load(file)
    left = page.wait(1.0, page.is_left)
    errors = page.errors()
    checks["loads"] = not left and not errors
    if left:
        return "it left its own page"
    checks["draws"] = page.picture().drawn_share() >= _LEAST_DRAWN
    if not (checks["loads"] and checks["draws"]):
        return errors or "nothing is drawn"
    steps = _steps(page)
    checks["falls"] = len(steps) > _STEPS
    by_keys = _moves(page, steps)
    page.load(file)  # a fresh board, whatever was done to the first one
    before = page.number("score") or 0
    checks["clears"] = _clears(page)
    checks["scores"] = page.wait(1.0, lambda: (page.number("score") or 0) > before)
    # Rows that are filled by keys show that keys move pieces, however lively the picture is.
    checks["moves"] = by_keys or checks["clears"]
    return page.errors()


def _steps(page: Page) -> list[Picture]:
    """What it looks like, each time that changes while nobody presses a key."""
    steps = [page.picture()]

    def enough() -> bool:
        now = page.picture()
        if now not in steps:  # what only blinks makes no step
            steps.append(now)
        return len(steps) > _STEPS

    page.wait(8.0, enough)
    return steps


def _moves(page: Page, steps: list[Picture]) -> bool:
    """On keys the picture changes further to a side than it does by itself.

    Pieces that fall stay in their columns. So this tells a game that takes keys from one that
    does not, however fast pieces fall and however slow the machine is.
    """
    by_itself = _changed(steps)

    def further(key: str) -> bool:
        for _ in range(_PRESSES):
            page.press(key)
        return page.wait(2.0, lambda: _beyond(_changed([steps[-1], page.picture()]), by_itself))

    return further("ArrowLeft") or further("ArrowRight")


def _changed(pictures: list[Picture]) -> frozenset[int]:
    """The columns of pixels in which any two pictures that follow each other differ."""
    return frozenset().union(*(one.columns_unlike(next_) for one, next_ in pairwise(pictures)))


def _beyond(columns: frozenset[int], others: frozenset[int]) -> bool:
    if not columns or not others:
        return bool(columns)
    return min(columns) < min(others) - _PIXELS or max(columns) > max(others) + _PIXELS


def _clears(page: Page) -> bool:
    """Five square pieces beside each other are two full rows."""
    before = page.number("lines") or 0
    for place in range(5):
        for key in ["ArrowLeft"] * 9 + ["ArrowRight"] * (2 * place) + [" "]:
            page.press(key)
            time.sleep(0.02)
        time.sleep(0.1)
    return page.wait(3.0, lambda: (page.number("lines") or 0) > before)


SCORER = WebGame()
