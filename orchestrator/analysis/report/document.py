"""What a report is made of, before it becomes Markdown or JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A measured number with its 95 % interval, or with the reason why it has none.

    Raises ValueError for a number that has neither: a report never shows one.
    """

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 1
    why: str = ""

    def __post_init__(self) -> None:
        if (self.low is None or self.high is None) and not self.why:
            raise ValueError(f"{self.metric} has neither an interval nor a reason")


Cell = str | Number | None


@dataclass(frozen=True, slots=True)
class Column:
    """`key` is stable and for programs, `head` for people.

    One that is `known` elsewhere need not be shown where it says the same in every row.
    """

    key: str
    head: str
    known: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells (None: not measured). `name` tells the tables of a section apart."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command line to paste, binary first."""

    title: str
    argv: tuple[str, ...]


Block = Table | Text | Command


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a report. `name` is stable."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Omitted:
    """A part that has nothing to show, and why in one sentence."""

    name: str
    title: str
    why: str
