"""Running a program of a build to its end: logged, watched for hangs, ended with its worker."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from workers.contract.failure import Phase
from workers.contract.reports import RigReport
from workers.engines.diagnose import exited, hung, not_started
from workers.engines.environment import scrubbed
from workers.engines.log import read_log
from workers.engines.process import EngineProcess

_POLL_S = 0.2


def run_tool(
    argv: Sequence[str],
    rig: RigReport,
    log: Path,
    stall_s: float,
    phase: Phase,
    watch: Callable[[], None] | None = None,
) -> str:
    """What the program printed. Raises EngineError where it fails or says nothing for `stall_s`.

    How long a whole corpus takes nobody can say, but a tool that works prints at every chunk.
    `watch` is called now and then, and may raise to end the program.
    """
    with tempfile.TemporaryDirectory(prefix="orchestrate-config-") as home:
        try:
            process = EngineProcess(argv, scrubbed(rig, Path(home)), log)
        except OSError as error:
            raise not_started(argv[0], error, phase) from None
        try:
            rc = _wait(process, log, stall_s, phase, rig, watch)
        finally:
            process.stop(grace_s=2.0)
    text = read_log(log)
    if rc != 0:
        raise exited(text, rc, phase, gpu=bool(rig.cards))
    return text


def _wait(
    process: EngineProcess,
    log: Path,
    stall_s: float,
    phase: Phase,
    rig: RigReport,
    watch: Callable[[], None] | None,
) -> int:
    size, since = 0, time.monotonic()
    while (rc := process.returncode()) is None:
        if watch is not None:
            watch()
        if (now := log.stat().st_size) != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > stall_s:
            raise hung(read_log(log), stall_s, phase, gpu=bool(rig.cards))
        time.sleep(_POLL_S)
    return rc
