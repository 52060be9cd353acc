"""Programs that were generated, kept as files beside a job's logs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from workers.quality.score import Score
from workers.quality.task import Task

FOLDER = "quality"


@dataclass(frozen=True, slots=True)
class Kept:
    """One program on disk: `program` is None where the answer held none."""

    task: str
    repetition: int
    score: int
    reason: str
    checks: dict[str, bool]
    answer: Path
    program: Path | None


def keep(
    log_dir: Path, task: Task, repetition: int, answer: str, program: str | None, score: Score
) -> Kept:
    """Writes an answer, its program and its score. Raises OSError."""
    folder = log_dir / FOLDER / f"{task.task}-{repetition}"
    folder.mkdir(parents=True, exist_ok=True)
    answered = folder / "answer.md"
    answered.write_text(answer, encoding="utf-8", errors="replace")
    if program is not None:
        (folder / task.file_name).write_text(program, encoding="utf-8", errors="replace")
    told = {
        "task": task.task,
        "repetition": repetition,
        "score": score.score,
        "reason": score.reason,
        "checks": score.checks,
        "program": None if program is None else task.file_name,
    }
    (folder / "score.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    return _read(folder)


def kept_programs(log_dir: Path) -> tuple[Kept, ...]:
    """The programs of a job, by task and repetition; empty where there are none (any more)."""
    found = [_read(path.parent) for path in (log_dir / FOLDER).glob("*/score.json")]
    return tuple(sorted(found, key=lambda kept: (kept.task, kept.repetition)))


def _read(folder: Path) -> Kept:
    told = json.loads((folder / "score.json").read_text(encoding="utf-8"))
    name = told["program"]
    return Kept(
        task=told["task"],
        repetition=told["repetition"],
        score=told["score"],
        reason=told["reason"],
        checks=told["checks"],
        answer=folder / "answer.md",
        program=folder / name if name else None,
    )
