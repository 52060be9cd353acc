"""Tetris as a program for a terminal, played through a pseudo-terminal."""

from __future__ import annotations

from workers.quality.sandbox.base import Command, Sandbox
from workers.quality.sandbox.running import Running, running
from workers.quality.score import Score, by_levels
from workers.quality.task import Task
from workers.quality.terminal.board import WIDTH, Board
from workers.quality.terminal.game import Game

_LEVELS = (("starts", "shows_a_board"), ("falls", "moves"), ("clears", "scores", "quits"))
_KEY_S = 0.08
_NOTHING = Board(frozenset())


class TerminalGame:
    """1: starts and shows a board. 2: pieces fall, and move on keys. 3: full rows disappear,
    points are given, q quits.

    Only square pieces are asked for: five of them beside each other fill two rows, whatever a
    program's rules of rotation.
    """

    name = "terminal_game"
    needs_cases = False

    def problem(self) -> str | None:
        """A sandbox with an interpreter is all it takes."""
        return None

    def score(self, task: Task, program: str, sandbox: Sandbox) -> Score:
        """Plays it for at most half a minute."""
        argv = (sandbox.python, "-I", task.file_name, "--pieces", "O")
        command = Command(argv, {task.file_name: program}, terminal=True)
        with running(sandbox, command) as started:
            game = Game(started)
            checks = _play(game, started)
            why = started.ended_by or ("" if checks["shows_a_board"] else game.last_words())
        return by_levels(checks, _LEVELS, why)


def _play(game: Game, started: Running) -> dict[str, bool]:
    checks = dict.fromkeys((name for level in _LEVELS for name in level), False)
    checks["shows_a_board"] = game.watch(5.0, lambda: game.board() is not None)
    checks["starts"] = started.returncode is None
    if not all(checks[name] for name in _LEVELS[0]):
        return checks
    checks["falls"] = _falls(game)
    checks["moves"] = _moves(game)
    before = game.number("score") or 0
    checks["clears"] = _clears(game)
    checks["scores"] = game.watch(1.0, lambda: (game.number("score") or 0) > before)
    game.press("q")
    checks["quits"] = started.ends_within(3.0) and started.returncode == 0
    return checks


def _falls(game: Game) -> bool:
    """Nobody presses a key, and something comes down."""
    game.watch(2.0, lambda: bool(_board(game).filled))
    start = _board(game).lowest
    return start >= 0 and game.watch(4.0, lambda: _board(game).lowest > start)


def _moves(game: Game) -> bool:
    """A piece that falls stays in its columns: only a key takes it to others."""
    start = _board(game).leftmost
    game.press("a")
    left = game.watch(1.5, lambda: _board(game).leftmost < start)
    further = _board(game).leftmost
    game.press("d")
    return left and game.watch(1.5, lambda: WIDTH > _board(game).leftmost > further)


def _clears(game: Game) -> bool:
    """Five square pieces beside each other are two full rows, and then they are gone."""
    most = 0

    def gone() -> bool:
        nonlocal most
        filled = len(_board(game).filled)
        most = max(most, filled)
        return most >= 16 and 0 < filled <= 8

    for place in range(5):
        game.press("a" * (WIDTH - 1) + "d" * (2 * place) + " ", _KEY_S)
        game.watch(0.3, gone)
    return game.watch(4.0, gone)


def _board(game: Game) -> Board:
    return game.board() or _NOTHING


SCORER = TerminalGame()
