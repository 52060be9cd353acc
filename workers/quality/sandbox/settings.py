"""The settings that travel into the sandbox, see `inside`."""

from __future__ import annotations

import json

from workers.quality.sandbox.base import COLUMNS, ROWS, Command

_MIB = 1 << 20


def settings_for(command: Command, given: str, *, count_processes: bool) -> str:
    """One line of JSON. `given` is where the files are, as the program sees it.

    `count_processes` is for sandboxes in a user namespace of their own: the kernel then counts
    theirs alone (Linux 5.14 and later), and not everything that this user runs.
    """
    limits = command.limits
    resources = {
        "RLIMIT_CPU": limits.cpu_s,
        "RLIMIT_FSIZE": limits.file_mib * _MIB,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CORE": 0,
    }
    if limits.address_mib is not None:
        resources["RLIMIT_AS"] = limits.address_mib * _MIB
    if count_processes:
        resources["RLIMIT_NPROC"] = limits.processes
    return json.dumps(
        {
            "limits": resources,
            "copy": given,
            "terminal": (ROWS, COLUMNS) if command.terminal else None,
            "pipes": command.pipes,
            "stdin": command.stdin,
        }
    )
