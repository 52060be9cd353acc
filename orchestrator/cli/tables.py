"""Tables for the terminal: plain, quiet, and wide enough for what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console(stderr: bool = False) -> Console:
    """Standard output (or error): colours only on a terminal, nothing cut off elsewhere."""
    from orchestrator.cli.terminal import open_console

    return open_console(stderr)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table whose columns that start with '>' are right-aligned. Cells are plain text.

    No headings, no line for them: with empty names the rows stand alone.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(
        title=title or None,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        show_header=any(columns),
        pad_edge=False,
        title_justify="left",
        title_style="bold",
    )
    for column in columns:
        right = column.startswith(">")
        made.add_column(column.lstrip(">"), justify="right" if right else "left", no_wrap=right)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def show(out: Console, made: Table) -> None:
    """Prints a table; in plain text without the blanks that fill up its lines."""
    if out.is_terminal:
        out.print(made)
        return
    with out.capture() as caught:
        out.print(made)
    for line in caught.get().splitlines():
        out.print(line.rstrip(), soft_wrap=True)
