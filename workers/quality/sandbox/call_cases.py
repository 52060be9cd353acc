"""Runs inside the sandbox: calls a function of a program with the arguments of each case.

    python -I call_cases.py PROGRAM FUNCTION      (cases as JSON lines on standard input)

Answers one JSON line for each case: {"case": n, "gives": value} or {"case": n, "raises": names}.
What is expected is not here: whoever reads the answers compares them, so that no program can say
of itself that it is right. Kept free of our own imports: nothing of ours is in the sandbox.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CASE_S = 2


class TookTooLongError(BaseException):
    """Not an Exception, so that a program's own handlers let it pass."""


def main(program: str, function: str) -> None:
    """Answers until the cases are through, or the program ends us."""
    cases = [json.loads(line) for line in sys.stdin]
    answers = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for end in (0, 1, 2):
        os.dup2(nothing, end)

    def answer(**told: object) -> None:
        print(json.dumps(told), file=answers, flush=True)

    signal.signal(signal.SIGALRM, _too_long)
    names: dict[str, Any] = {"__name__": "program"}
    text = Path(program).read_text(encoding="utf-8", errors="replace")
    found = _guarded(lambda: exec(compile(text, program, "exec"), names))
    if "raises" in found:
        answer(loads=False, said=found["said"])
        return
    called: Any = names.get(function)
    answer(loads=callable(called), said="" if callable(called) else f"there is no {function}")
    for number, arguments in enumerate(cases if callable(called) else ()):
        found = _guarded(called, *arguments)
        try:
            answer(case=number, **found)
        except (TypeError, ValueError, RecursionError):
            answer(case=number, raises=[], said="it gives what JSON cannot hold")


def _guarded(call: Callable[..., object], *arguments: object) -> dict[str, object]:
    signal.alarm(CASE_S)
    try:
        return {"gives": call(*arguments)}
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its answer
        signal.alarm(0)
        names = [kind.__name__ for kind in type(error).__mro__]
        return {"raises": names, "said": f"{type(error).__name__}: {error}"[:300]}
    finally:
        signal.alarm(0)


def _too_long(number: int, frame: object) -> None:
    raise TookTooLongError(f"no answer within {CASE_S} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
