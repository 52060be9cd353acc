"""From an exception to a sentence on standard error and an exit code."""

from __future__ import annotations

import errno
import sys

from search_spaces.errors import SpaceError
from workers.contract.errors import OrchestrateError

INTERRUPTED = 130


def exit_code_of(error: BaseException) -> int | None:
    """Prints what a person should read; None for what is a bug and deserves its traceback."""
    if isinstance(error, SpaceError):
        return _say(str(error), error.exit_code)
    if isinstance(error, OrchestrateError):
        return _say(str(error), error.exit_code)
    if isinstance(error, KeyboardInterrupt):
        return _say("Interrupted. Run the same command again to go on.", INTERRUPTED)
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
