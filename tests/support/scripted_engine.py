"""An engine whose servers are scripted ones in threads of this process, and whose scores are given.

It starts nothing, so tests of what is done *with* an engine are quick. What a process can do
and a thread cannot (crash, be killed) is tested with `write_scripted_server` and the real engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from search_spaces.candidate import Candidate
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from tests.support.script import Script
from tests.support.scripted_server import serving
from workers.contract.outcome import LaunchRecord, Sample
from workers.contract.reports import Build, Capabilities, EngineReport, RigReport
from workers.engines.base import Assets, EngineError, RunningEngine

SERVER = Build("server", "llama-server 0.6.0-dev (build 11434, commit scripted)", "5e" * 32, "/e/s")
LOGITS = Build("logits", "llama-perplexity 0.6.0-dev (build 11434)", "10" * 32, "/e/p")
ABLE = Capabilities("mainline", ("f16", "q8_0"), ("f16",), ("none", "draft-dflash"))


@dataclass
class ScriptedRunning:
    """See `RunningEngine`. It is said to have ended with `rc` when that is set."""

    base_url: str
    record: LaunchRecord
    log: str
    rc: int | None = None

    def alive(self) -> bool:
        """Whether no end was scripted."""
        return self.rc is None

    def returncode(self) -> int | None:
        """As scripted."""
        return self.rc

    def log_text(self) -> str:
        """What the server logged while it loaded."""
        return self.log


class ScriptedEngine:
    """See `Engine`. `scripts` are those of its launches, the last one stays.

    `scores` are what a text's chunks come out as; `fail_at` is the launch (from 0) that raises
    `error`; `launched` hears of every launch.
    """

    kind = "scripted"

    def __init__(
        self,
        *scripts: Script,
        scores: Sequence[Sample] = (),
        error: EngineError | None = None,
        fail_at: int = 0,
        rc: int | None = None,
        launched: Callable[[], None] = lambda: None,
        builds: tuple[Build, ...] = (SERVER, LOGITS),
    ) -> None:
        self.name = "scripted"
        self.launches: list[Candidate] = []
        self.running = 0
        self._scripts = scripts or (Script(),)
        self._scores = list(scores)
        self._error = error
        self._fail_at = fail_at
        self._rc = rc
        self._launched = launched
        self._builds = builds

    def probe(self) -> EngineReport:
        """Two builds that do not exist."""
        return EngineReport(self.name, self.kind, self._builds, ABLE)

    @contextmanager
    def launch(
        self, candidate: Candidate, assets: Assets, rig: RigReport, log_path: Path
    ) -> Iterator[RunningEngine]:
        """A server in a thread; its process is this one."""
        number = len(self.launches)
        self.launches.append(candidate)
        if self._error is not None and number >= self._fail_at:
            raise self._error
        words = arguments_of(candidate, assets)
        with serving(self._scripts[min(number, len(self._scripts) - 1)], words) as served:
            record = LaunchRecord(("scripted", *words), str(log_path), os.getpid(), 0.5)
            self.running += 1
            self._launched()
            try:
                yield ScriptedRunning(served.url, record, served.log, self._rc)
            finally:
                self.running -= 1

    def perplexity(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: PerplexityRecipe,
        log: Path,
    ) -> list[Sample]:
        """The scores that were given."""
        return self._score()

    def divergence(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> list[Sample]:
        """The scores that were given."""
        return self._score()

    def _score(self) -> list[Sample]:
        if self._error is not None:
            raise self._error
        return list(self._scores)


def arguments_of(candidate: Candidate, assets: Assets) -> list[str]:
    """A candidate as the scripted server takes it."""
    words = ["-m", str(assets.model), "-c", str(candidate.ctx), "--metrics"]
    words += ["-ctk", candidate.kv_k, "-ctv", candidate.kv_v]
    if candidate.drafts:
        words += ["--spec-type", candidate.spec]
    if assets.drafter is not None:
        words += ["--spec-draft-model", str(assets.drafter)]
    for flag, kind in (("-ctkd", candidate.draft_kv_k), ("-ctvd", candidate.draft_kv_v)):
        words += [flag, kind] if kind is not None else []
    if candidate.n_max is not None:
        words += ["--spec-draft-n-max", str(candidate.n_max)]
    return words
