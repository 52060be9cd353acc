"""Markdown as people post it: GitHub, Reddit, forums."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.tokens import lines_of
from orchestrator.analysis.report.document import Block, Cell, Column, Command, Number, Table, Text
from orchestrator.analysis.report.make import Report
from orchestrator.analysis.report.wording import UNKNOWN, shown

_MARKS = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲ"


class Markdown:
    """A heading for each section, tables with pipes, commands in fences."""

    name = "markdown"
    meaning = "tables to post"

    def render(self, report: Report) -> str:
        """The whole report."""
        lines = [f"# {_plain(report.title)}", "", *_spaced(report.opening)]
        for section in report.sections:
            lines += [f"## {section.title}", ""]
            tables = [block for block in section.blocks if isinstance(block, Table)]
            for block in section.blocks:
                if len(tables) > 1 and isinstance(block, Table):
                    lines += [f"**{_plain(block.name)}**", ""]
                lines += [*_block(block), ""]
        if report.omitted:
            left_out = "; ".join(f"{one.title} ({one.why})" for one in report.omitted)
            lines += [f"Left out: {_plain(left_out)}.", ""]
        return "\n".join(lines)


def _spaced(paragraphs: Sequence[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield paragraph
        yield ""


def _block(block: Block) -> list[str]:
    match block:
        case Table():
            return _table(block)
        case Text(text):
            return [_plain(text)]
        case Command(title, argv):
            return [f"{_plain(title)}:", "", *_fenced(argv)]


def _fenced(argv: Sequence[str]) -> list[str]:
    lines = " \\\n  ".join(" ".join(map(shlex.quote, line)) for line in lines_of(argv))
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", lines)), default=0))
    return [f"{fence}sh", lines, fence]


def _table(table: Table) -> list[str]:
    """The table without columns that say nothing, and the reasons of its ±?."""
    kept = [i for i, column in enumerate(table.columns) if _says(column, table, i)]
    reasons = list(
        dict.fromkeys(c.why for r in table.rows for c in r if isinstance(c, Number) and c.why)
    )
    marks = {why: _MARKS[i] if i < len(_MARKS) else f"({i})" for i, why in enumerate(reasons)}
    right = [any(isinstance(row[i], Number) for row in table.rows) for i in kept]
    lines = [
        _row(_plain(table.columns[i].head) for i in kept),
        _row("---:" if numeric else "---" for numeric in right),
        *(_row(_cell(row[i], marks) for i in kept) for row in table.rows),
    ]
    if marks:
        told = "; ".join(f"{UNKNOWN}{mark} {why}" for why, mark in marks.items())
        lines += ["", _plain(f"{told}.")]
    return lines


def _says(column: Column, table: Table, position: int) -> bool:
    cells = {row[position] for row in table.rows}
    return cells != {None} and not (column.known and len(cells) == 1 and len(table.rows) > 1)


def _row(cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell, marks: dict[str, str]) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, Number):
        return shown(cell) + marks.get(cell.why, "")
    return _plain(cell)


def _plain(text: str) -> str:
    """One line in which nothing is taken for Markdown or HTML."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return re.sub(r"([\\|<>`*\[~&]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", flat)


FORMAT = Markdown()
