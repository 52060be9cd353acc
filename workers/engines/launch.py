"""Starting a server and owning it until the `with` block ends."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workers.contract.failure import FailureKind, Phase
from workers.contract.outcome import LaunchRecord
from workers.contract.reports import RigReport
from workers.engines.base import EngineError, RunningEngine
from workers.engines.diagnose import exited, hung, not_started
from workers.engines.environment import scrubbed
from workers.engines.health import answers, pause
from workers.engines.log import read_log
from workers.engines.ports import HOST, free_port, owns_port
from workers.engines.process import EngineProcess

_ATTEMPTS = 3  # ports tried before giving up


@dataclass(frozen=True)
class Server:
    """A server that answered; see `RunningEngine`."""

    base_url: str
    record: LaunchRecord
    process: EngineProcess

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.returncode() is None

    def log_text(self) -> str:
        """Everything logged so far, without escape codes."""
        return read_log(Path(self.record.log_path))


@contextmanager
def launched(
    argv: Callable[[int], list[str]],
    rig: RigReport,
    log_path: Path,
    limit_s: float,
    extra_env: dict[str, str] | None = None,
) -> Iterator[RunningEngine]:
    """Starts `argv(port)` on a rig and yields it once /health says 200; ends it afterwards.

    `limit_s` is how long the load may take. A port that was taken meanwhile is replaced, up to
    three times; the log then is that of the last try. Raises EngineError.
    """
    with tempfile.TemporaryDirectory(prefix="orchestrate-config-") as config_home:
        env = scrubbed(rig, Path(config_home)) | (extra_env or {})
        server = _with_a_port(argv, env, log_path, limit_s)
        try:
            yield server
        finally:
            server.process.stop()


def _with_a_port(
    argv: Callable[[int], list[str]], env: dict[str, str], log_path: Path, limit_s: float
) -> Server:
    for attempt in range(1, _ATTEMPTS + 1):
        port = free_port()
        try:
            return _start(argv(port), port, env, log_path, limit_s)
        except EngineError as error:
            if error.diagnosis.kind is not FailureKind.NETWORK_PORT or attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def _start(
    argv: list[str], port: int, env: dict[str, str], log_path: Path, limit_s: float
) -> Server:
    began = time.monotonic()
    try:
        process = EngineProcess(argv, env, log_path)
    except OSError as error:
        raise not_started(argv[0], error, Phase.LOAD) from None
    try:
        _wait(process, port, log_path, limit_s)
    except BaseException:  # an interrupt too: nobody else knows of this process yet
        process.stop(grace_s=1.0)
        raise
    took = time.monotonic() - began
    record = LaunchRecord(tuple(argv), str(log_path), process.pid, took, process.started)
    return Server(f"http://{HOST}:{port}", record, process)


def _wait(process: EngineProcess, port: int, log_path: Path, limit_s: float) -> None:
    """Until the process answers. Raises EngineError when it ends first, or never does."""
    deadline = time.monotonic() + limit_s
    while True:
        rc = process.returncode()
        if rc is not None:
            raise exited(read_log(log_path), rc, Phase.LOAD)
        # Somebody else's server may answer here, while ours is about to fail to bind.
        if answers(port) and owns_port(process.pid, port) is not False:
            return
        if time.monotonic() > deadline:
            raise hung(read_log(log_path), limit_s, Phase.LOAD)
        pause()
