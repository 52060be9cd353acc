"""What a scorer is: it runs a program, looks at what it does, and says how good that is."""

from __future__ import annotations

from typing import Protocol

from workers.quality.sandbox.base import Sandbox
from workers.quality.score import Score
from workers.quality.task import Task


class Scorer(Protocol):
    """Each is a small class in a file of `workers.quality.scorers`.

    A program is only ever run in the sandbox that is given; nothing of it is imported, parsed or
    evaluated in this process. Whatever the program does, a score comes back.
    """

    name: str
    needs_cases: bool  # whether a task must bring a function and cases

    def problem(self) -> str | None:
        """What this machine lacks to score such a task (a browser); None where nothing."""
        ...

    def score(self, task: Task, program: str, sandbox: Sandbox) -> Score:
        """Runs the program. Raises SandboxError where the machinery failed, not the program."""
        ...
