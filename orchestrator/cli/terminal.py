"""The console that everything is printed on. Imports rich; see `tables.console`."""

from __future__ import annotations

import errno
import os

from rich.console import Console

UNCUT = 10_000  # columns of text that goes to a file or a pipe, where nothing may be cut off


class Terminal(Console):
    """A console that leaves a closed pipe to the command, which knows what it means."""

    def on_broken_pipe(self) -> None:
        """Rich would exit here with code 1."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def open_console(stderr: bool) -> Console:
    """Styled and live on a terminal; plain text everywhere else, and where NO_COLOR is set."""
    # What is printed holds names from outside: no [markup], no :emoji: in it.
    found = Terminal(highlight=False, markup=False, emoji=False, stderr=stderr)
    fancy = found.is_terminal and not found.is_dumb_terminal
    if fancy and not os.environ.get("NO_COLOR"):
        return found
    return Terminal(
        highlight=False,
        markup=False,
        emoji=False,
        stderr=stderr,
        force_terminal=False,
        color_system=None,
        width=found.width if found.is_terminal else UNCUT,
    )
