"""Which sandbox this machine can have; none is said in one sentence, with what to do."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from workers.engines.log import clean, last_line
from workers.quality.errors import SandboxError
from workers.quality.sandbox.base import Command, Sandbox
from workers.quality.sandbox.bubblewrap import Bubblewrap
from workers.quality.sandbox.running import running
from workers.quality.sandbox.unconfined import Unconfined

NOBODY = 65534
_HINT = (
    "Leave `quality` out, or run the programs with this user's rights and network by "
    "`allow_unconfined: true` in the recipe's `quality`."
)


def sandbox_for(allow_unconfined: bool = False) -> Sandbox:
    """The sandbox of this machine. Raises SandboxError where there is none and none is no go."""
    problem = sandbox_problem()
    if problem is None:
        return found_sandbox()
    if allow_unconfined:
        return Unconfined()
    raise SandboxError(f"Generated programs are only run in a sandbox: {problem}.", _HINT)


def sandbox_problem() -> str | None:
    """Why there is no sandbox here; None where there is one."""
    found = _find()
    return found if isinstance(found, str) else None


def found_sandbox() -> Bubblewrap:
    """The sandbox, where `sandbox_problem` is None."""
    found = _find()
    assert isinstance(found, Bubblewrap)
    return found


@cache
def _find() -> Bubblewrap | str:
    if sys.platform != "linux":
        return "bubblewrap is for Linux"
    path = shutil.which("bwrap")
    if path is None:
        return "bubblewrap is not installed (`apt install bubblewrap`)"
    said = ""
    for sandbox in _ways(path):
        problem = _tried(sandbox)
        if problem is None:
            return sandbox
        said = problem
    return f"bubblewrap does not work here, {said}"


def _ways(path: str) -> Iterator[Bubblewrap]:
    """Root gives itself up if some interpreter is readable for others; everybody else is fine."""
    ours = str(Path(sys.executable).resolve())
    system = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.geteuid() == 0:
        for python in dict.fromkeys((ours, system and str(Path(system).resolve()))):
            if python is not None:
                yield Bubblewrap(path, python, NOBODY)
    yield Bubblewrap(path, ours)


def _tried(sandbox: Bubblewrap) -> str | None:
    """None where a program runs in it; otherwise what was said (user namespaces forbidden, …)."""
    command = Command((sandbox.python, "-I", "-S", "-c", "print('ready')"), terminal=True)
    try:
        with running(sandbox, command) as program:
            said = clean(program.read_all(4096).decode(errors="replace"))
    except OSError as error:
        return str(error)
    return None if "ready" in said.split() else last_line(said) or "it ends without a word"
