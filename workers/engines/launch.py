"""Starting a server and owning it until the `with` block ends."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
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
from workers.engines.loading import one_at_a_time
from workers.engines.log import read_log
from workers.engines.ports import HOST, free_port, owns_port
from workers.engines.process import EngineProcess

_ATTEMPTS = 3  # ports tried before giving up


@dataclass
class Server:
    """A server that answered; see `RunningEngine`."""

    base_url: str
    record: LaunchRecord
    process: EngineProcess

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.returncode() is None

    def returncode(self) -> int | None:
        """The exit status (negative: a signal); None while the process runs."""
        return self.process.returncode()

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
    files: Sequence[Path | None] = (),
) -> Iterator[RunningEngine]:
    """Starts `argv(port)` on a rig and yields it once /health says 200; ends it afterwards.

    `limit_s` is how long the load may take, and how long it may wait for its turn where its
    `files` are big; the record's time begins after that. A port that was taken meanwhile is
    replaced, up to three times; the log then is that of the last try. Raises EngineError.
    """
    with tempfile.TemporaryDirectory(prefix="orchestrate-config-") as config_home:
        env = scrubbed(rig, Path(config_home)) | (extra_env or {})
        with one_at_a_time(files, rig.memory_mib, limit_s):
            server = _Start(env, log_path, limit_s, gpu=bool(rig.cards)).on_a_free_port(argv)
        try:
            yield server
        finally:
            server.process.stop()


@dataclass(frozen=True)
class _Start:
    """What every attempt to start shares."""

    env: dict[str, str]
    log_path: Path
    limit_s: float
    gpu: bool

    def on_a_free_port(self, argv: Callable[[int], list[str]]) -> Server:
        """The server once it answers; another port where the first one was taken meanwhile."""
        for left in reversed(range(_ATTEMPTS)):
            port = free_port()
            try:
                return self._on(port, argv(port))
            except EngineError as error:
                if error.diagnosis.kind is not FailureKind.NETWORK_PORT or not left:
                    raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _on(self, port: int, argv: list[str]) -> Server:
        began = time.monotonic()
        try:
            process = EngineProcess(argv, self.env, self.log_path)
        except OSError as error:
            raise not_started(argv[0], error, Phase.LOAD) from None

        def record() -> LaunchRecord:
            log, took = str(self.log_path), time.monotonic() - began
            return LaunchRecord(tuple(argv), log, process.pid, took, process.started)

        try:
            self._wait(process, port)
        except BaseException as error:  # an interrupt too: nobody else knows of this process yet
            if isinstance(error, EngineError):
                error.record = record()
            process.stop(grace_s=1.0)
            raise
        return Server(f"http://{HOST}:{port}", record(), process)

    def _wait(self, process: EngineProcess, port: int) -> None:
        """Until the process answers. Raises EngineError when it ends first, or never does."""
        deadline = time.monotonic() + self.limit_s
        while True:
            rc = process.returncode()
            if rc is not None:
                raise exited(read_log(self.log_path), rc, Phase.LOAD, gpu=self.gpu)
            # Somebody else's server may answer here, while ours is about to fail to bind.
            if answers(port) and owns_port(process.pid, port) is not False:
                return
            if time.monotonic() > deadline:
                raise hung(read_log(self.log_path), self.limit_s, Phase.LOAD, gpu=self.gpu)
            pause()
