"""What an export is: measured settings of one candidate in a form that a tool reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from orchestrator.analysis.records import Measured, State
from workers.contract.errors import OrchestrateError


class ExportError(OrchestrateError):
    """This candidate, or this flag, cannot be exported."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """One candidate and the command line that starts it, binary first.

    `argv` comes from the engine's dialect, so that flags are spelt as that build spells them.
    `title` names the candidate in comments, `name` wherever an identifier is needed; `files` are
    the paths in `argv`, `cards` the rig's GPUs as nvidia-smi numbers them, `fingerprint` the
    hashes of what was measured.
    """

    record: Measured
    argv: tuple[str, ...]
    title: str
    name: str
    files: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    fingerprint: str = ""


class ExportFormat(Protocol):
    """One format. `name` is what people type, `meaning` one line of help, `suffix` a file's.

    A format with `one_per_file` has no way to hold two candidates in one text.
    """

    name: str
    meaning: str
    suffix: str
    one_per_file: bool

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The text of all requests; raises ExportError for what the format cannot say."""
        ...


def check(request: ExportRequest) -> None:
    """Raises ExportError unless the candidate was really measured, on a real engine."""
    record = request.record
    if record.simulated:
        raise ExportError(
            f"{request.title} is simulated: its numbers were replayed, not measured.",
            "Sweep with a real engine, then export.",
        )
    if record.state is not State.COMPLETE:
        why = f" ({record.failure.kind})" if record.failure else ""
        raise ExportError(
            f"{request.title} is {record.state}{why}: it has no measurement to stand on.",
            "Export a candidate of the front, for example: best.",
        )
    if not request.argv:
        raise ExportError(
            f"{request.title} has no command line.", "Measure it again with this version."
        )
