"""What every measurement of a job stands on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from search_spaces.recipe import ThroughputRecipe
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.reports import EngineReport, RigReport
from workers.engines.base import Assets, Engine, EngineError, RunningEngine
from workers.engines.diagnose import exited, hung
from workers.engines.log import tail
from workers.facets.natural_end import NaturalEnds
from workers.facets.telemetry import Level
from workers.gates.spec_kinds import remembers

# A process that dies closes its connections some time before it is gone: a driver first takes
# back gigabytes of card memory.
EXIT_S = 10.0
_POLL_S = 0.02


@dataclass(frozen=True)
class Setting:
    """A job with the engine, files and rig to run it on. `interrupted` says whether to stop."""

    job: Job
    engine: Engine
    report: EngineReport
    assets: Assets
    rig: RigReport
    level: Level
    ends: NaturalEnds
    log_dir: Path
    interrupted: Callable[[], bool]

    @property
    def throughput(self) -> ThroughputRecipe:
        """How this candidate's speed is measured: what remembers answers gets no prompt twice."""
        recipe = self.job.recipe.throughput
        spec = self.job.resolved.candidate.spec
        return recipe.once_per_launch() if remembers(spec) else recipe

    def check(self, phase: Phase) -> None:
        """Raises EngineError when the sweep was told to stop."""
        if self.interrupted():
            raise EngineError(stopped(), phase)

    @contextmanager
    def watching(self, running: RunningEngine, phase: Phase, limit_s: float) -> Iterator[None]:
        """Turns a broken connection into what happened to the engine. Raises EngineError."""
        gpu = bool(self.rig.cards)
        try:
            yield
        except httpx.TimeoutException:
            raise hung(running.log_text(), limit_s, phase, gpu=gpu) from None
        except httpx.HTTPStatusError as error:
            raise _refused(error.response, running.log_text(), phase, gpu) from None
        except httpx.HTTPError as error:
            rc = _exit_status(running)
            if rc is not None:
                raise exited(running.log_text(), rc, phase, gpu=gpu) from None
            raise _broke_off(error, running.log_text(), phase) from None
        except ValueError as error:
            raise _not_understood(error, running.log_text(), phase) from None


def stopped() -> Diagnosis:
    """The sweep was stopped: no failure of anything."""
    return Diagnosis(
        FailureKind.INTERRUPTED, "the sweep was stopped", "Run it again to go on.", False
    )


def _exit_status(running: RunningEngine) -> int | None:
    """How the engine ended; None where it lives on."""
    deadline = time.monotonic() + EXIT_S
    while (rc := running.returncode()) is None and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    return rc


def _refused(response: httpx.Response, log: str, phase: Phase, gpu: bool) -> EngineError:
    """The server answered with an error: its text decides, the log helps."""
    from workers.failures.classify import classify

    said = response.text[:2000]
    diagnosis = classify(said, phase=phase, gpu_expected=gpu) or Diagnosis(
        FailureKind.ENGINE_CRASH,
        f"the server answered {response.status_code}: {said[:300]}",
        "Read the end of its log.",
        deterministic=False,
    )
    return EngineError(diagnosis, phase, tail(log))


def _broke_off(error: httpx.HTTPError, log: str, phase: Phase) -> EngineError:
    diagnosis = Diagnosis(
        FailureKind.ENGINE_CRASH,
        f"the server broke off an answer and runs on: {error}",
        "Read the end of its log; it may be another program on that port.",
        deterministic=False,
    )
    return EngineError(diagnosis, phase, tail(log))


def _not_understood(error: ValueError, log: str, phase: Phase) -> EngineError:
    diagnosis = Diagnosis(
        FailureKind.CAPABILITY_MISSING,
        f"the server's answer cannot be used: {error}",
        "Use a build of llama-server whose /completion reports its timings.",
        deterministic=True,
    )
    return EngineError(diagnosis, phase, tail(log))
