"""A function, by what it gives for arguments that the model was not shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import workers.quality.sandbox as sandbox_room
from workers.quality.sandbox.base import Command, Sandbox
from workers.quality.sandbox.running import running
from workers.quality.score import BEST, Score, said
from workers.quality.task import Case, Task

_CALLER = Path(sandbox_room.__path__[0]) / "call_cases.py"
_MOST_BYTES = 1 << 20
_ENOUGH = 2 / 3


class Functions:
    """1: loads, and some cases are right. 2: two thirds of them are. 3: all are."""

    name = "functions"
    needs_cases = True

    def problem(self) -> str | None:
        """A sandbox with an interpreter is all it takes."""
        return None

    def score(self, task: Task, program: str, sandbox: Sandbox) -> Score:
        """Calls the function with each case's arguments; what is expected stays outside."""
        command = Command(
            (sandbox.python, "-I", "call_cases.py", task.file_name, task.function),
            {
                task.file_name: program,
                "call_cases.py": _CALLER.read_text(encoding="utf-8"),
                "cases.jsonl": "".join(json.dumps(list(case.args)) + "\n" for case in task.cases),
            },
            stdin="cases.jsonl",
        )
        with running(sandbox, command) as started:
            answers = list(_answers(started.read_all(_MOST_BYTES)))
            cut = started.ended_by
        loaded = next((answer for answer in answers if "loads" in answer), {})
        by_case = {answer.get("case"): answer for answer in answers}
        right = [_right(case, by_case.get(number)) for number, case in enumerate(task.cases)]
        checks = {"loads": loaded.get("loads") is True}
        checks |= {f"case_{number}": held for number, held in enumerate(right)}
        return Score(_points(right), checks, _reason(task, loaded, by_case, right, cut))


def _points(right: list[bool]) -> int:
    share = sum(right) / len(right)
    return BEST if share == 1 else 2 if share >= _ENOUGH else 1 if share > 0 else 0


def _right(case: Case, answer: dict[str, Any] | None) -> bool:
    if answer is None:
        return False
    if case.raises is not None:
        names = answer.get("raises")
        return isinstance(names, list) and case.raises in names
    return "gives" in answer and _equal(answer["gives"], case.gives)


def _equal(given: Any, wanted: Any) -> bool:
    """Equal values of equal kinds: True is not 1 here. Floats may differ in the last digits."""
    if isinstance(wanted, list | tuple):
        return (
            isinstance(given, list)
            and len(given) == len(wanted)
            and all(_equal(one, other) for one, other in zip(given, wanted, strict=True))
        )
    if isinstance(wanted, dict):
        return (
            isinstance(given, dict)
            and given.keys() == wanted.keys()
            and all(_equal(given[key], wanted[key]) for key in wanted)
        )
    if isinstance(wanted, float) and isinstance(given, int | float) and given is not True:
        return abs(given - wanted) <= 1e-9 * max(1.0, abs(wanted))
    return type(given) is type(wanted) and bool(given == wanted)


def _answers(raw: bytes) -> Iterator[dict[str, Any]]:
    """The lines that are answers; a program may have written others among them."""
    for line in raw.decode("utf-8", errors="replace").splitlines():
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(answer, dict):
            yield answer


def _reason(
    task: Task,
    loaded: dict[str, Any],
    by_case: dict[Any, dict[str, Any]],
    right: list[bool],
    cut: str | None,
) -> str:
    if all(right):
        return ""
    if loaded.get("loads") is not True:
        return said(str(loaded.get("said") or cut or "it ended while it was loaded"))
    first = right.index(False)
    answer = by_case.get(first, {})
    given = answer.get("said") or json.dumps(answer.get("gives"))
    call = f"{task.function}({', '.join(map(json.dumps, task.cases[first].args))})"
    told = f"{sum(right)} of {len(right)} cases; first wrong: {call}: "
    return said(told + (str(given) if answer else cut or "it ended without an answer"))


SCORER = Functions()
