"""What one known failure looks like in a log: data, read by `classify`, never code in its core."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from workers.contract.failure import Diagnosis, FailureKind


class Level(IntEnum):
    """How near a line is to the root cause; the highest level found in a log wins.

    An engine that fails says so several times: the allocation that failed, the model that
    therefore did not load, the server that therefore exits, the crash on the way out. Only the
    first of them helps a tuner.
    """

    GENERIC = 0  # "failed to load model", "exiting": true of every failure
    SYMPTOM = 10  # a crash or a hang, of which the cause may be named elsewhere in the log
    HINT = 20  # names the area (the draft, a bare allocation), not yet the reason
    CAUSE = 30  # names the reason
    DECISIVE = 40  # names the reason where another line would, alone, suggest a wrong one


@dataclass(frozen=True, slots=True)
class Pattern:
    """One known failure: the line that shows it, and what to tell a person.

    All expressions are matched on folded text (see `rx`). `after` must match earlier in the
    log, `elsewhere` anywhere, `unless` nowhere.
    `holds` checks the captured numbers. `times` is how often the line must appear.
    `lasting` failures count although the run went on: they make its numbers a lie.
    `gpu_only` failures are none where the candidate itself asks for the CPU.
    """

    kind: FailureKind
    line: re.Pattern[str]
    detail: str
    advice: str
    level: Level = Level.CAUSE
    deterministic: bool = True
    after: re.Pattern[str] | None = None
    elsewhere: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    holds: Callable[[re.Match[str]], bool] | None = None
    times: int = 1
    lasting: bool = False
    gpu_only: bool = False

    def diagnosis(self, evidence: str) -> Diagnosis:
        """The same, as the contract carries it, with the line that decided."""
        return Diagnosis(
            kind=self.kind,
            evidence=evidence,
            advice=self.advice,
            deterministic=self.deterministic,
            detail=self.detail,
        )


_LOWER = {ord(letter): letter.lower() for letter in string.ascii_uppercase}
_ESCAPE_OR_CAPITAL = re.compile(r"\\.|[A-Z]", re.DOTALL)


def fold(text: str) -> str:
    """ASCII letters in lower case; every offset stays what it was, as str.lower's do not."""
    return text.translate(_LOWER)


def rx(regex: str) -> re.Pattern[str]:
    r"""Compiles an expression to be matched on folded text; `^` and `$` hold at each line.

    Folding both sides instead of re.IGNORECASE makes a long log three times faster to read.
    Escapes keep their letter: \S is not \s.
    """
    folded = _ESCAPE_OR_CAPITAL.sub(
        lambda found: found[0] if found[0].startswith("\\") else found[0].lower(), regex
    )
    return re.compile(folded, re.MULTILINE)


def pattern(
    kind: FailureKind,
    line: str,
    detail: str,
    advice: str,
    level: Level = Level.CAUSE,
    *,
    deterministic: bool = True,
    after: str | None = None,
    elsewhere: str | None = None,
    unless: str | None = None,
    holds: Callable[[re.Match[str]], bool] | None = None,
    times: int = 1,
    lasting: bool = False,
    gpu_only: bool = False,
) -> Pattern:
    """A `Pattern` from plain expressions; raises `re.error` at import if one is malformed."""
    return Pattern(
        kind=kind,
        line=rx(line),
        detail=detail,
        advice=advice,
        level=level,
        deterministic=deterministic,
        after=rx(after) if after else None,
        elsewhere=rx(elsewhere) if elsewhere else None,
        unless=rx(unless) if unless else None,
        holds=holds,
        times=times,
        lasting=lasting,
        gpu_only=gpu_only,
    )
