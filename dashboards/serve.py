"""Serving the dashboard: listens first, so that an address that is taken is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workers.contract.errors import OrchestrateError

if TYPE_CHECKING:
    from flask import Flask

_THREADS = 8


def listen(server: Flask, host: str, port: int) -> Any:
    """A WSGI server that listens and does not answer yet; `effective_port` tells its port.

    Raises OrchestrateError when the address cannot be listened on.
    """
    from waitress import create_server

    try:
        return create_server(server, host=host, port=port, threads=_THREADS, ident=None)
    except OSError as error:
        raise OrchestrateError(
            f"Port {port} on {host} cannot be listened on: {error.strerror or error}.",
            "Choose another one with --port, or end the program that uses it.",
        ) from None


def run(listening: Any) -> None:
    """Answers requests until Ctrl-C."""
    try:
        listening.run()
    finally:
        listening.close()
