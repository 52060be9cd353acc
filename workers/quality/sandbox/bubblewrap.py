"""bubblewrap: own namespaces, a read-only system, one small throw-away directory, no network.

Source of the options: bwrap(1).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workers.quality.sandbox.base import INSIDE, Command
from workers.quality.sandbox.settings import settings_for

BOX = "/tmp"  # its own, in memory
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
# What loaders and font libraries read; nothing that names a person or a host.
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "chromium.d")
_MIB = 1 << 20


@dataclass(frozen=True)
class Bubblewrap:
    """`user` is the id that programs run as, where that is not our own.

    The kernel counts nobody's processes but root's are never refused: root gives itself up.
    """

    path: str
    python: str
    user: int | None = None
    name: str = "bubblewrap"

    @property
    def credentials(self) -> Mapping[str, Any]:
        """What the start of a process takes."""
        if self.user is None:
            return {}
        return {"user": self.user, "group": self.user, "extra_groups": ()}

    def directory(self, folder: Path) -> str:
        """The same in every run."""
        return BOX

    def argv(self, command: Command, folder: Path) -> list[str]:
        """Everything that is not named here does not exist inside."""
        size = str(command.limits.disk_mib * _MIB)
        words = [self.path, "--unshare-all", "--unshare-user", "--disable-userns"]
        words += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv"]
        for name, value in _environment().items():
            words += ["--setenv", name, value]
        for place in _SYSTEM:
            words += _shown(Path(place))
        for name in _ETC:
            words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        for extra in (*_prefix(self.python), *command.reads):
            if not str(extra).startswith(_SYSTEM):
                words += ["--ro-bind", str(extra), str(extra)]
        words += ["--proc", "/proc", "--dev", "/dev"]
        words += ["--size", size, "--tmpfs", BOX, "--size", size, "--tmpfs", "/dev/shm"]
        words += ["--ro-bind", str(folder), "/given", "--ro-bind", str(INSIDE), "/inside.py"]
        words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", BOX, "--"]
        settings = settings_for(command, "/given", count_processes=True)
        return [*words, self.python, "-I", "-S", "/inside.py", settings, *command.argv]


def _environment() -> dict[str, str]:
    """All that a program sees of an environment."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": BOX,
        "TMPDIR": BOX,
        "LANG": "C.UTF-8",
        "TERM": "linux",
    }


def _shown(place: Path) -> list[str]:
    """A folder of the system as it is here: bound, or a link as it is a link."""
    if place.is_symlink():
        return ["--symlink", str(place.readlink()), str(place)]
    return ["--ro-bind", str(place), str(place)] if place.exists() else []


def _prefix(python: str) -> tuple[Path, ...]:
    """Where our own interpreter's standard library is; others are the system's."""
    ours = Path(sys.executable).resolve() == Path(python)
    return (Path(sys.base_prefix).resolve(),) if ours else ()
