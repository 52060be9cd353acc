"""Programs that models wrote, where a sweep measured how good they are at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from db.whole import WholeSweep
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.bounded import bounded

FOLDER = "quality"  # beside the logs of the job that had them written
_MOST_OF_ONE = 1024**2


def programs(whole: WholeSweep, redactor: Redactor) -> dict[str, bytes]:
    """Answers, programs and scores by their names in a bundle, redacted like logs.

    `whole` is the sweep before it is redacted: its log paths lead to the folders.
    """
    read = ((name, path.read_text("utf-8", "replace")) for name, path in _files(whole))
    return bounded(read, redactor)


def _files(whole: WholeSweep) -> Iterator[tuple[str, Path]]:
    for number, job in enumerate(whole.jobs, 1):
        outcome = job.completed or job.failed
        logs = [launch.log_path for launch in outcome.trace.launches] if outcome else []
        for folder in sorted({Path(log).parent / FOLDER for log in logs if log}):
            for path in sorted(folder.rglob("*")):
                small = path.is_file() and path.stat().st_size <= _MOST_OF_ONE
                if small and not path.is_symlink():
                    yield f"programs/{number:04d}/{path.relative_to(folder).as_posix()}", path
