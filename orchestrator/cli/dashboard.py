"""`orchestrate dashboard`: the pages, served until Ctrl-C."""

from __future__ import annotations

import threading

from orchestrator.sweeping.session import is_alive


def run(storage: str, host: str, port: int) -> None:
    """Serves a database's pages; reads it only."""
    from dashboards.app import make_app, warm
    from dashboards.library import Library
    from dashboards.security import is_local, new_token
    from dashboards.serve import listen, run

    library = Library.open(storage, is_alive)
    token = None if is_local(host) else new_token()
    try:
        listening = listen(make_app(library, token).server, host, port)
        threading.Thread(target=warm, args=(library,), daemon=True).start()
        print(address(host, listening.effective_port, token), flush=True)
        run(listening)
    finally:
        library.close()


def address(host: str, port: int, token: str | None) -> str:
    """What to open, on a line of its own; the token is in it, and nowhere else."""
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{port}/"
    return url if token is None else f"{url}?token={token}"
