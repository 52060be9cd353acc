"""The ends of engines' logs, as far as they are still there."""

from __future__ import annotations

from pathlib import Path

from db.whole import WholeSweep
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.format import MOST_OF_A_LOG


def log_tails(whole: WholeSweep, redactor: Redactor) -> dict[str, bytes]:
    """The last lines of every launch's log, redacted, by its name in a bundle.

    `whole` is the sweep before it is redacted: its paths lead to the files. A job whose log is
    gone brings the tail that was recorded with it.
    """
    found: dict[str, bytes] = {}
    for number, job in enumerate(whole.jobs, 1):
        outcome = job.completed or job.failed
        if outcome is None:
            continue
        for launch, record in enumerate(outcome.trace.launches, 1):
            text = _tail(Path(record.log_path)) if record.log_path else ""
            if text:
                found[f"logs/{number:04d}-{launch}.log"] = redactor.text(text).encode()
        if outcome.trace.log_tail and f"logs/{number:04d}-1.log" not in found:
            found[f"logs/{number:04d}.log"] = redactor.text(outcome.trace.log_tail).encode()
    return found


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
