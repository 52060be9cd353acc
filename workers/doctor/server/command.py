"""The command line of a server that runs on this machine, as settings."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import psutil

from workers.dialects.spellings import VALUED, our_kind

_SHORT = {"ctx": ("-c", "--ctx-size"), "parallel": ("-np", "--parallel")}


@dataclass(frozen=True)
class Command:
    """`settings` are by our names (n_max, kv_k, spec, ...), as texts; the last of two wins."""

    argv: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str) -> float | None:
        """A setting as a number; None where it is not set, or none."""
        try:
            return float(self.settings[name])
        except (KeyError, ValueError):
            return None


def read_command(argv: Sequence[str]) -> Command:
    """Settings out of a command line, in the spelling of any build that we know."""
    names = {
        spelling: setting
        for setting, spellings in {**VALUED, **_SHORT}.items()
        for spelling in spellings
        if "." not in setting  # lengths of drafterless kinds share flags with n_max
    }
    found: dict[str, str] = {}
    words = list(argv[1:])
    for position, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag in names:
            behind = words[position + 1] if position + 1 < len(words) else ""
            found[names[flag]] = value if equals else behind
    if "spec" in found:
        found["spec"] = ",".join(our_kind(kind) for kind in found["spec"].split(","))
    return Command(tuple(argv), found)


def command_of(host: str, port: int) -> Command | None:
    """The command of who listens on a port of this machine.

    None for another machine's, and where the system does not say who listens (without rights,
    or from inside a container).
    """
    if not _is_here(host):
        return None
    try:
        listening = [
            connection.pid
            for connection in psutil.net_connections(kind="tcp")
            if connection.status == psutil.CONN_LISTEN
            and connection.laddr
            and connection.laddr.port == port
        ]
        pid = next((pid for pid in listening if pid), None)
        return read_command(psutil.Process(pid).cmdline()) if pid else None
    except (psutil.Error, OSError):
        return None


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
