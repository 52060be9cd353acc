"""From a model's answer to a score: take the program out, run it confined, keep it."""

from __future__ import annotations

from pathlib import Path

from workers.http.chat import Answer
from workers.quality.extract import extract
from workers.quality.kept import Kept, keep
from workers.quality.sandbox.base import Sandbox
from workers.quality.score import NO_PROGRAM
from workers.quality.scorers.registry import all_scorers
from workers.quality.task import Task


def judge(task: Task, repetition: int, answer: Answer, sandbox: Sandbox, log_dir: Path) -> Kept:
    """Scores one answer. Raises SandboxError where the machinery failed, and OSError."""
    wanted = f"def {task.function}" if task.function else ""
    program = extract(answer.text, task.language, wanted)
    if program is None:
        score = NO_PROGRAM
    else:
        score = all_scorers()[task.scorer].score(task, program, sandbox)
    return keep(log_dir, task, repetition, answer.text, program, score)
