"""Whether the quality scorer is right about hand-written programs, and unharmed by them.

python -m benchmarks.quality_scorer > benchmarks/results/quality_scorer.md
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.workers.quality.programs import ALL, Program
from workers.http.chat import Answer
from workers.quality.judge import judge
from workers.quality.kept import Kept
from workers.quality.sandbox.base import Sandbox
from workers.quality.sandbox.choose import sandbox_for
from workers.quality.task import tasks_of


def main() -> None:
    """Scores every program and prints the table."""
    sandbox = sandbox_for()
    before = _processes()
    rows, right = [], 0
    for program in ALL:
        began = time.monotonic()
        kept = _scored(program, sandbox)
        right += kept.score == program.score
        took = time.monotonic() - began
        rows.append(_row(program, kept, took))
        print(f"{program.task}: {program.name}: {kept.score}", file=sys.stderr)
    print("# Quality scorer\n\n`python -m benchmarks.quality_scorer`\n")
    print(f"- right: {right} of {len(ALL)}")
    more = len(_processes() - before)
    print(f"- browsers and sandboxes on the machine that were not there before: {more}")
    print(f"- sandbox: {sandbox.name}\n")
    print(
        "The programs are in `tests/workers/quality/programs.py`; most broken ones are a good one"
    )
    print(
        "with one thing taken out. They show that the scorer tells these apart, not how it judges"
    )
    print("every program that a model may write.\n")
    print("| task | program | sort | expected | scored | s | what was said |")
    print("|---|---|---|--:|--:|--:|---|")
    print("\n".join(rows))


def _scored(program: Program, sandbox: Sandbox) -> Kept:
    (task,) = tasks_of(program.task)
    with tempfile.TemporaryDirectory() as folder:
        return judge(task, 0, Answer(program.answer, 0, cut=False), sandbox, Path(folder))


def _row(program: Program, kept: Kept, took: float) -> str:
    said = kept.reason.replace("|", "\\|")[:90]
    told = (program.task, program.name, program.sort, program.score, kept.score, f"{took:.1f}")
    return f"| {' | '.join(map(str, told))} | {said} |"


def _processes() -> set[int]:
    return set(_of_the_sandbox())


def _of_the_sandbox() -> Iterator[int]:
    """Browsers, sandboxes and what runs as nobody; those of other programs as well."""
    for process in psutil.process_iter(["name", "username"]):
        name, user = process.info["name"] or "", process.info["username"]
        if name in ("bwrap", "chromium", "chrome") or user in ("nobody", "65534"):
            yield process.pid


if __name__ == "__main__":
    main()
