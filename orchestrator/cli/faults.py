"""From an exception to a sentence on standard error and an exit code."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from search_spaces.errors import SpaceError
from workers.contract.errors import OrchestrateError

INTERRUPTED = 130


class StoppedError(OrchestrateError):
    """The user stopped it."""

    exit_code = INTERRUPTED


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C inside becomes a sentence and exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(
            "Stopped; everything measured so far is kept.", "Run the same command to go on."
        ) from None


def exit_code_of(error: BaseException) -> int | None:
    """Prints what a person should read; None for what is a bug and deserves its traceback."""
    if isinstance(error, SpaceError):
        return _say(str(error), error.exit_code)
    if isinstance(error, OrchestrateError):
        return _say(str(error), error.exit_code)
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()  # the reader went away; there is nobody to tell
        return 0
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f" ({error.filename})" if error.filename else ""
        return _say(f"No space left on the disk{where}. Free some and run it again.", 1)
    if isinstance(error, PermissionError):
        return _say(f"No permission for {error.filename}. Choose another path.", 2)
    return None


def _say(message: str, code: int) -> int:
    print(f"orchestrate: {message}", file=sys.stderr)
    return code
