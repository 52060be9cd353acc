"""Programs that models wrote, where a sweep measured how good they are at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from db.whole import WholeSweep
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.format import MOST_OF_LOGS

FOLDER = "quality"  # beside the logs of the job that had them written
_MOST_OF_ONE = 1024**2


def programs(whole: WholeSweep, redactor: Redactor) -> dict[str, bytes]:
    """Answers, programs and scores by their names in a bundle, redacted like logs.

    `whole` is the sweep before it is redacted: its log paths lead to the folders.
    """
    found: dict[str, bytes] = {}
    left = MOST_OF_LOGS
    for name, path in _files(whole):
        data = redactor.text(path.read_text(encoding="utf-8", errors="replace")).encode()
        left -= len(data)
        if left < 0:
            break
        found[name] = data
    return found


def _files(whole: WholeSweep) -> Iterator[tuple[str, Path]]:
    for number, job in enumerate(whole.jobs, 1):
        outcome = job.completed or job.failed
        logs = [launch.log_path for launch in outcome.trace.launches] if outcome else []
        for folder in sorted({Path(log).parent / FOLDER for log in logs if log}):
            for path in sorted(folder.rglob("*")):
                small = path.is_file() and path.stat().st_size <= _MOST_OF_ONE
                if small and not path.is_symlink():
                    yield f"programs/{number:04d}/{path.relative_to(folder).as_posix()}", path
