"""Tetris as one HTML file, played in a headless browser."""

from __future__ import annotations

import time

from workers.quality.browser.devtools import BrowserGoneError, PageHangsError
from workers.quality.browser.page import BROWSERS, Page, browser_path, opened
from workers.quality.browser.picture import read_png
from workers.quality.sandbox.base import Sandbox
from workers.quality.score import Score, by_levels
from workers.quality.task import Task

_LEVELS = (("loads", "draws"), ("falls", "moves"), ("clears", "scores"))
_LEAST_DRAWN = 0.002  # of all pixels; a line of text is about as much
_PAIRS = 4
_STEPS = 3


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
    checks["draws"] = read_png(page.picture()).drawn_share() >= _LEAST_DRAWN
    if not (checks["loads"] and checks["draws"]):
        return errors or "nothing is drawn"
    checks["falls"] = _falls(page)
    by_keys = _moves(page)
    page.load(file)  # a fresh board, whatever was done to the first one
    before = page.number("score") or 0
    checks["clears"] = _clears(page)
    checks["scores"] = page.wait(1.0, lambda: (page.number("score") or 0) > before)
    # Rows that are filled by keys show that keys move pieces, however lively the picture is.
    checks["moves"] = by_keys or checks["clears"]
    return page.errors()


def _falls(page: Page) -> bool:
    """The picture changes time and again while nobody presses a key."""
    seen = {page.picture()}

    def changed() -> bool:
        seen.add(page.picture())
        return len(seen) > _STEPS

    return page.wait(5.0, changed)


def _moves(page: Page) -> bool:
    """The picture changes at once on a key, and much less often without one."""
    changed = {True: 0, False: 0}
    for number in range(_PAIRS):
        for pressed in (True, False):
            before = page.picture()
            if pressed:
                page.press(("ArrowLeft", "ArrowRight")[number % 2])
            time.sleep(0.05)  # two frames, so that the page can draw
            changed[pressed] += page.picture() != before
    return changed[True] >= _PAIRS - 1 and changed[False] <= _PAIRS // 2


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
