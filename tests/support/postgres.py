"""A PostgreSQL server of the tests' own: started on a free port, stopped and killed at will.

Nothing is kept: its folder is deleted, and nothing is flushed to disk. The server refuses to run
as root, so root's tests run it as another user.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
UNPRIVILEGED = ("postgres", "nobody")
RESTARTS = 20
USER, NAME = "orchestrate", "postgres"


def binaries() -> Path | None:
    """The folder of the newest server on this machine; None where there is none."""
    found = [path for folder in FOLDERS for path in Path("/").glob(folder.lstrip("/"))]
    on_path = shutil.which("initdb")
    found += [Path(on_path).resolve().parent] if on_path else []
    usable = [path for path in found if (path / "initdb").exists() and (path / "postgres").exists()]
    return max(usable, key=_version, default=None)


def _version(path: Path) -> float:
    number = re.search(r"(\d+(?:\.\d+)?)", str(path))
    return float(number[1]) if number else 0.0


class PostgresServer:
    """One server with one user, who has a password. `start` returns when it answers."""

    def __init__(self, binaries: Path) -> None:
        self._bin = binaries
        self._folder = Path(tempfile.mkdtemp(prefix="orchestrate-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.password = secrets.token_hex(8)
        self.port = _free_port()
        self._user = _unprivileged()
        secret = self._folder / "password"
        secret.write_text(self.password)
        if self._user is not None:
            for path in (self._folder, secret):
                shutil.chown(path, self._user)
        self._run("initdb", "-D", "data", "-U", USER, "-A", "scram-sha-256", "-N", "-E", "UTF8",
                  "--locale=C", "--pwfile=password")  # fmt: skip

    @property
    def url(self) -> str:
        """Where it answers, password included."""
        return f"postgresql+psycopg://{USER}:{self.password}@127.0.0.1:{self.port}/{NAME}"

    def start(self) -> None:
        """Starts it, or starts it again on the same data."""
        settings = {"fsync": "off", "listen_addresses": "127.0.0.1", "max_connections": "60"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        server = [self._bin / "postgres", "-D", "data", "-p", self.port, "-k", self._folder]
        setpriv = shutil.which("setpriv")  # so that it ends with the tests, however those end
        wrapper = [setpriv, "--pdeathsig", "INT"] if setpriv else []
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(word) for word in (*wrapper, *server, *options)],
                cwd=self._folder, user=self._user, extra_groups=self._groups,
                stdout=log, stderr=log,
            )  # fmt: skip
        self._run("pg_isready", "-q", "-h", "127.0.0.1", "-p", self.port, "-t", "1", until=0)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it: politely by breaking off what runs, or as a crash (SIGQUIT, SIGKILL)."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def restart(self) -> None:
        """Starts it again; a killed one's children need a moment to let go of its memory."""
        for attempt in range(RESTARTS):
            try:
                self.start()
            except RuntimeError:
                if attempt == RESTARTS - 1:
                    raise
                time.sleep(0.5)
            else:
                return

    def delete(self) -> None:
        """Ends it for good."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _groups(self) -> list[int] | None:
        return None if self._user is None else []

    def _run(self, tool: str, *arguments: object, until: int | None = None) -> None:
        """Runs one of its tools; again and again where it has to end with a certain code."""
        command = [str(word) for word in (self._bin / tool, *arguments)]
        for _ in range(600):
            done = subprocess.run(
                command, cwd=self._folder, user=self._user, extra_groups=self._groups,
                capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode == 0:
                return
            if until is None or self._process is None or self._process.poll() is not None:
                break
        raise RuntimeError(f"{tool}: {done.stderr or (self._folder / 'log').read_text()}")


def _unprivileged() -> str | None:
    if os.geteuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
