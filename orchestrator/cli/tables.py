"""Tables for the terminal: plain, quiet, and wide enough for what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLAIN_WIDTH = 160  # of text that goes to a file or a pipe, where nothing may be cut off


def console(stderr: bool = False) -> Console:
    """Standard output (or error): colours only on a terminal, nothing cut off elsewhere."""
    from rich.console import Console

    made = Console(highlight=False, stderr=stderr)
    if made.is_terminal:
        return made
    return Console(highlight=False, stderr=stderr, width=PLAIN_WIDTH)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table whose columns that start with '>' are right-aligned. Cells are plain text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column in columns:
        right = column.startswith(">")
        made.add_column(column.lstrip(">"), justify="right" if right else "left", no_wrap=right)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made
