"""What a finished sweep looks like on a terminal: tables, sentences, and commands to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from db.repositories.whole_writing import IMPORTED
from db.rows import QuarantineRow, SweepRow
from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.summary import GroupSummary, Summary
from orchestrator.cli.class_table import class_table
from orchestrator.cli.front_table import front_table
from orchestrator.cli.tables import show
from workers.contract.errors import OrchestrateError
from workers.statistics.flags import describe

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = ("best", "draft")  # the picks whose commands a sweep prints


class EveryTrialFailedError(OrchestrateError):
    """Nothing was measured to the end."""

    exit_code = 4


def require_measured(summary: Summary) -> None:
    """Raises EveryTrialFailedError where nothing was measured to the end."""
    if not any(group.front.placed for group in summary.groups):
        raise EveryTrialFailedError("Every trial failed.", "See why with: orchestrate status.")


class RigLeftOutError(OrchestrateError):
    """The sweep ended without a rig that was to take part."""

    exit_code = 5


def require_every_rig(left_out: Sequence[QuarantineRow]) -> None:
    """Raises RigLeftOutError that names the rigs which were left out, the first with its reason."""
    if left_out:
        more = "".join(f" So is {row.rig}." for row in left_out[1:])
        raise RigLeftOutError(
            f"{left_out[0].reason}{more}",
            "What the sweep measured is kept; the same command tries again.",
        )


def show_result(out: Console, row: SweepRow, summary: Summary, exporter: Exporter) -> None:
    """Per group: the front, what it means in sentences, and two commands to run."""
    if summary.simulated:
        out.print("Simulated: these numbers were replayed from a table, not measured.\n")
    if row.imported is not None:
        out.print(f"{describe(IMPORTED).capitalize()}.\n")
    for group in summary.groups:
        if group.front.placed:
            _front(out, group, summary, exporter)
            out.print()
    out.print(f"Sweep {row.key[:8]} of {row.name}.", soft_wrap=True)


def _front(out: Console, group: GroupSummary, summary: Summary, exporter: Exporter) -> None:
    front = front_table(group, summary.namer, out.width)
    show(out, front.table)
    for note in front.notes:
        out.print(note, soft_wrap=True)
    out.print()
    if (by_class := class_table(group, summary.classes)) is not None:
        show(out, by_class)
        out.print()
    for sentence in group.sentences:
        out.print(sentence, soft_wrap=True)
    _commands(out, group, exporter)


def _commands(out: Console, group: GroupSummary, exporter: Exporter) -> None:
    """One command per candidate, under every title it has won."""
    from orchestrator.analysis.exports.registry import export

    picks = [pick for pick in group.picks if pick.key in COMMANDS and not pick.record.simulated]
    for record in {pick.record.trial_id: pick.record for pick in picks}.values():
        first, *more = [p.title for p in picks if p.record.trial_id == record.trial_id]
        title = ", also ".join((first, *(title.lower() for title in more)))
        out.print(f"\n{title}:", style="bold")
        try:
            text = export("command", [exporter.request(record)]).rstrip()
        except ExportError as error:
            text = str(error)
        out.print(text, soft_wrap=True)
