"""What a sandbox is: a way to write a command line so that the command can do no harm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from workers.quality.sandbox.limits import PROGRAM, Limits

INSIDE = Path(__file__).with_name("inside.py")
ROWS, COLUMNS = 40, 100


@dataclass(frozen=True, slots=True)
class Command:
    """A program to run: its arguments (the first one an absolute path) and the files it is given.

    Files are copied into its working directory, the only place where it may write. `terminal`
    runs it on a pseudo-terminal of 40 rows and 100 columns, `pipes` on file descriptors 3 and 4,
    otherwise its standard input and output are pipes, or its input is the file named `stdin`.
    `reads` are further folders that it needs.
    """

    argv: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = PROGRAM
    terminal: bool = False
    pipes: bool = False
    stdin: str | None = None
    reads: tuple[Path, ...] = ()


class Sandbox(Protocol):
    """`python` is the interpreter for programs; `credentials` go to the start of a process."""

    @property
    def name(self) -> str: ...

    @property
    def python(self) -> str: ...

    @property
    def credentials(self) -> Mapping[str, Any]: ...

    def argv(self, command: Command, folder: Path) -> list[str]:
        """The command confined. `folder` is this run's own, readable for the program."""
        ...

    def directory(self, folder: Path) -> str:
        """The working directory as the program sees it."""
        ...
