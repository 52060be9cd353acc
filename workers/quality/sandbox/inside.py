"""Runs inside the sandbox, just before the program: limits first, then becomes the program.

    python -I -S inside.py SETTINGS COMMAND [ARGUMENT...]

SETTINGS is JSON: `limits` (names of resources and their values), `copy` (a folder whose files
are copied here first), `terminal` (rows and columns of the terminal that standard input is, or
null), `pipes` (whether standard input and output become file descriptors 3 and 4, where a browser
looks for its remote control), `stdin` (a file that becomes standard input, or null). Kept free of
our own imports: nothing of ours is in the sandbox.
"""

import json
import os
import resource
import shutil
import sys


def main(arguments: list[str]) -> None:
    """Never returns: becomes the command, or exits with 126 as a shell does."""
    settings, command = json.loads(arguments[0]), arguments[1:]
    shutil.copytree(settings["copy"], ".", dirs_exist_ok=True)
    if settings["terminal"] is not None:
        _own_terminal(*settings["terminal"])
    if settings["pipes"]:
        _pipes_to_3_and_4()
    if settings["stdin"] is not None:
        os.dup2(os.open(settings["stdin"], os.O_RDONLY), 0)
    for name, value in settings["limits"].items():
        kind = getattr(resource, name)
        most = resource.getrlimit(kind)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (value, value))
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"cannot execute {command[0]}: {error.strerror}\n".encode())
        os._exit(126)


def _own_terminal(rows: int, columns: int) -> None:
    """Standard input becomes the controlling terminal, so that /dev/tty and Ctrl-C work."""
    import fcntl
    import struct
    import termios

    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    if os.getsid(0) != os.getpid():
        os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _pipes_to_3_and_4() -> None:
    # Away from low numbers first: one end may itself be 3 or 4.
    read, write = (os.dup2(end, 10 + end, inheritable=True) for end in (0, 1))
    os.dup2(read, 3, inheritable=True)
    os.dup2(write, 4, inheritable=True)
    os.closerange(5, 20)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0, inheritable=True)
    os.dup2(nothing, 1, inheritable=True)
    os.close(nothing)


if __name__ == "__main__":
    main(sys.argv[1:])
