"""What every measurement of a job stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.reports import Capabilities, RigReport
from workers.engines.base import Assets, Engine, EngineError, RunningEngine
from workers.engines.diagnose import exited, hung
from workers.engines.log import tail


@dataclass(frozen=True)
class Setting:
    """A job with the engine, files and rig to run it on. `interrupted` says whether to stop."""

    job: Job
    engine: Engine
    capabilities: Capabilities | None
    assets: Assets
    rig: RigReport
    log_dir: Path
    interrupted: Callable[[], bool]
    launched: Callable[[RunningEngine], None]

    def check(self, phase: Phase) -> None:
        """Raises EngineError when the sweep was told to stop."""
        if self.interrupted():
            why = Diagnosis(
                FailureKind.INTERRUPTED, "the sweep was stopped", "Run it again to go on.", False
            )
            raise EngineError(why, phase)


@contextmanager
def watching(running: RunningEngine, phase: Phase, limit_s: float) -> Iterator[None]:
    """Turns a broken connection into what happened to the engine. Raises EngineError."""
    try:
        yield
    except httpx.TimeoutException:
        raise hung(running.log_text(), limit_s, phase) from None
    except httpx.HTTPStatusError as error:
        raise refused(error.response, running.log_text(), phase) from None
    except (httpx.HTTPError, ValueError) as error:
        if running.alive():
            why = Diagnosis(
                FailureKind.ENGINE_CRASH,
                f"the server broke off an answer: {error}",
                "Read the end of its log; it may be another program on that port.",
                deterministic=False,
            )
            raise EngineError(why, phase, tail(running.log_text())) from None
        raise exited(running.log_text(), -1, phase) from None


def refused(response: httpx.Response, log: str, phase: Phase) -> EngineError:
    """The server answered with an error: its text decides, the log helps."""
    from workers.failures.classify import classify

    said = response.text[:2000]
    diagnosis = classify(said, rc=None, phase=phase) or Diagnosis(
        FailureKind.ENGINE_CRASH,
        f"the server answered {response.status_code}: {said[:300]}",
        "Read the end of its log.",
        deterministic=False,
    )
    return EngineError(diagnosis, phase, tail(log))
