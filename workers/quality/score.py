"""What a scorer says of one program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workers.engines.log import clean

BEST = 3
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Score:
    """0 (nothing works) to 3 (all of it does), by what the program did.

    `checks` says what was looked at and whether it held; `reason` is one line for a person.
    """

    score: int
    checks: dict[str, bool] = field(default_factory=dict)
    reason: str = ""


NO_PROGRAM = Score(0, {}, "the answer holds no program")


def by_levels(checks: dict[str, bool], levels: Iterable[Iterable[str]], reason: str = "") -> Score:
    """One point for each level whose checks hold, as long as those before hold too."""
    score = 0
    for level in levels:
        if not all(checks.get(name, False) for name in level):
            break
        score += 1
    failed = [name for name, held in checks.items() if not held]
    return Score(score, checks, said(reason) or (f"not: {', '.join(failed)}" if failed else ""))


def said(text: str) -> str:
    """One printable line of what a program said: it may hold anything, escape codes first."""
    line = " ".join(clean(text).split())
    return "".join(char for char in line if char.isprintable())[:_LONGEST]
