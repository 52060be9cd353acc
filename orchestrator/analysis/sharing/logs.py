"""The ends of engines' logs, as far as they are still there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from db.whole import WholeSweep
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.bounded import bounded
from orchestrator.analysis.sharing.format import MOST_OF_A_LOG
from workers.contract.outcome import JobTrace


def log_tails(whole: WholeSweep, redactor: Redactor) -> dict[str, bytes]:
    """The last lines of every launch's log, redacted, by its name in a bundle; the first of
    them where all would be too many.

    `whole` is the sweep before it is redacted: its paths lead to the files. A job whose log is
    gone brings the tail that was recorded with it.
    """
    return bounded(_texts(whole), redactor)


def _texts(whole: WholeSweep) -> Iterator[tuple[str, str]]:
    for number, job in enumerate(whole.jobs, 1):
        outcome = job.completed or job.failed
        trace = outcome.trace if outcome else JobTrace()
        ends = [_tail(Path(launch.log_path)) for launch in trace.launches if launch.log_path]
        yield from ((f"logs/{number:04d}-{i}.log", text) for i, text in enumerate(ends, 1) if text)
        if trace.log_tail and not any(ends):
            yield f"logs/{number:04d}.log", trace.log_tail


def _tail(path: Path) -> str:
    """The last whole lines; nothing where there is no such file any more."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - MOST_OF_A_LOG))
            text = file.read(MOST_OF_A_LOG).decode(errors="replace")
    except OSError:
        return ""
    return text if size <= MOST_OF_A_LOG else text.partition("\n")[2]
