"""Ports for engines. Another process may take a free port before the engine binds it."""

from __future__ import annotations

import socket

import psutil

HOST = "127.0.0.1"


def free_port() -> int:
    """A port that nobody listened on a moment ago; who uses it must be ready to try again."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def owns_port(pid: int, port: int) -> bool | None:
    """Whether a process listens on a port; None where the system does not tell.

    An answer on the port alone proves nothing: a server of somebody else may have taken it
    between `free_port` and the engine's own bind.
    """
    try:
        connections = psutil.Process(pid).net_connections(kind="inet")
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return None
    return any(c.status == psutil.CONN_LISTEN and c.laddr.port == port for c in connections)
