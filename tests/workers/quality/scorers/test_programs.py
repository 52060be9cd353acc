"""Good, broken and malicious programs get the scores they deserve.

Some of those that take long are left to benchmarks/quality_scorer.py, which runs them all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workers.quality import needs
from tests.workers.quality.programs import GOOD_FUNCTIONS, ROMAN, TERMINAL, WEB, Program
from workers.http.chat import Answer
from workers.quality.judge import judge
from workers.quality.kept import Kept
from workers.quality.task import tasks_of

LEFT_OUT = ("draws without a pause", "no points", "no fence", "greets with a dialog", "blank")


def named(programs: tuple[Program, ...]) -> list[object]:
    kept = [program for program in programs if program.name not in LEFT_OUT]
    return [pytest.param(program, id=program.name) for program in kept]


def scored(program: Program, folder: Path) -> Kept:
    (task,) = tasks_of(program.task)
    return judge(task, 0, Answer(program.answer, 0, cut=False), needs.sandbox(), folder)


@pytest.mark.parametrize("program", named(GOOD_FUNCTIONS + ROMAN))
def test_functions(program: Program, tmp_path: Path) -> None:
    assert scored(program, tmp_path).score == program.score


@pytest.mark.parametrize("program", named(TERMINAL))
def test_games_on_a_terminal(program: Program, tmp_path: Path) -> None:
    kept = scored(program, tmp_path)
    assert kept.score == program.score
    assert kept.reason.isprintable()


@pytest.mark.browser
@pytest.mark.parametrize("program", named(WEB))
def test_games_in_a_browser(program: Program, tmp_path: Path) -> None:
    needs.browser()
    kept = scored(program, tmp_path)
    assert kept.score == program.score
    assert kept.reason.isprintable()
