"""From an exception to a sentence on standard error and an exit code."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec

import typer

from search_spaces.errors import SpaceError
from workers.contract.errors import OrchestrateError

BUG, BAD_INPUT, INTERRUPTED = 1, 2, 130
P = ParamSpec("P")


class StoppedError(OrchestrateError):
    """The user stopped it."""

    exit_code = INTERRUPTED


class ReaderGoneError(Exception):
    """Nobody reads standard output any more, as after `| head -1`."""


def quiet_when_unread(door: Callable[P, None]) -> Callable[P, None]:
    """The command with ReaderGoneError for a broken pipe, which typer would make exit code 1."""

    @functools.wraps(door)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            door(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            raise ReaderGoneError from None

    return call


@contextmanager
def stoppable(then: str = "Run the same command to go on.") -> Iterator[None]:
    """Ctrl-C inside, or a reader that closes the pipe, becomes a sentence and exit code 130.

    `then` says what the same command will do.
    """
    try:
        yield
    except (KeyboardInterrupt, BrokenPipeError) as cause:
        why = "Stopped" if isinstance(cause, KeyboardInterrupt) else "Nobody reads the output"
        if isinstance(cause, BrokenPipeError):
            _forget_stdout()
        raise StoppedError(f"{why}; everything measured so far is kept.", then) from None


def exit_code_of(error: Exception) -> int | None:
    """Prints what a person should read; None for what is a bug and deserves its traceback."""
    if isinstance(error, typer.TyperException):
        return _say(_usage(error), error.exit_code)
    if isinstance(error, SpaceError | OrchestrateError):
        return _say(str(error), error.exit_code)
    if isinstance(error, ReaderGoneError):
        _forget_stdout()  # there is nobody to tell
        return 0
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f" ({error.filename})" if error.filename else ""
        return _say(f"No space left on the disk{where}. Free some and run it again.", BUG)
    if isinstance(error, PermissionError) and error.filename:
        return _say(f"No permission for {error.filename}. Choose another path.", BAD_INPUT)
    return None


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the command line, and where its help is."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "orchestrate"
    message = error.format_message()
    end = "" if message.endswith((".", "?")) else "."
    return f"{message}{end} See: {command} --help."


def _forget_stdout() -> None:
    """Whatever is still buffered goes nowhere, so that the interpreter ends without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    print(f"orchestrate: {message}", file=sys.stderr)
    return code
