"""Runs a command that the kernel kills when the process that started it dies. Linux only.

    python -I -S die_with_parent.py PARENT_PID COMMAND [ARGUMENT...]

Run as a file and kept free of imports: it costs about 20 ms at each start of an engine. A
`preexec_fn` would do the same without a process of its own, but it may deadlock where the
parent has threads, and a Ray worker always has.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(arguments: list[str]) -> None:
    """Never returns: becomes the command, or exits with 126 (as a shell does) saying why."""
    parent, command = int(arguments[0]), arguments[1:]
    if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        sys.exit("prctl(PR_SET_PDEATHSIG) failed: the engine would outlive its worker")
    # The parent may have died before the call above; then nobody is left to start for.
    if os.getppid() != parent:
        sys.exit("the worker died before its engine started")
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"cannot execute {command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(126)


if __name__ == "__main__":
    main(sys.argv[1:])
