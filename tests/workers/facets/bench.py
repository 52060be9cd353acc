"""A job on a scripted engine, ready to be measured: small, quick, and changeable in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe, ThroughputRecipe
from search_spaces.space import EngineRef
from tests.support.script import Script
from tests.support.scripted_engine import LOGITS, SERVER, ScriptedEngine
from workers.contract.job import Job
from workers.contract.reports import Card, RigKind, RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.engines.base import Assets
from workers.facets.natural_end import NaturalEnds
from workers.facets.setting import Setting
from workers.facets.telemetry import Level
from workers.trace import Trace

CARD = Card(0, "NVIDIA GeForce RTX 5090", "GPU-0", 32_000)
CPU = RigReport("cpu", RigKind.CPU, "host", "a CPU", 2, 2, 24_000, "Linux")
GPU = RigReport("rtx5090", RigKind.CUDA, "host", "a CPU", 8, 8, 64_000, "Linux", (CARD,), "570")
CUDA = ("CUDA0: a card (32000 MiB, 31000 MiB free)",)

PLAIN = Candidate(model="target.gguf", ctx=4096)
DFLASH = replace(PLAIN, spec="draft-dflash", drafter="drafter.gguf", n_max=4, p_min=0.0)
QUICK = ThroughputRecipe(prompts=3, predict=16, launches=2, passes=2, max_passes=2)


@dataclass
class Bench:
    """Everything that `serve` and `score` take, and the engine to ask afterwards."""

    setting: Setting
    trace: Trace
    engine: ScriptedEngine


def bench(
    tmp_path: Path,
    *scripts: Script,
    candidate: Candidate = PLAIN,
    throughput: ThroughputRecipe = QUICK,
    facets: Sequence[Facet] = (Facet.THROUGHPUT, Facet.MEMORY),
    rig: RigReport = CPU,
    engine: ScriptedEngine | None = None,
    interrupted: Callable[[], bool] = lambda: False,
    **job: Any,
) -> Bench:
    """A job of a candidate on an engine with these scripts; `job` are further fields of it."""
    engine = engine or ScriptedEngine(*scripts)
    resolved = ResolvedCandidate(
        candidate, SERVER.sha256, LOGITS.sha256, "model-sha", "d-sha" if candidate.drafter else None
    )
    asked = Job(
        id="job-1",
        resolved=resolved,
        engine=EngineRef(kind="embedded"),
        facets=tuple(facets),
        recipe=Recipe(throughput=throughput),
        memo={facet: f"key-of-{facet}" for facet in facets},
        log_dir=str(tmp_path / "logs"),
        **job,
    )
    drafter = tmp_path / candidate.drafter if candidate.drafter else None
    setting = Setting(
        job=asked,
        engine=engine,
        report=engine.probe(),
        assets=Assets(tmp_path / candidate.model, drafter),
        rig=rig,
        level=Level(rig),
        ends=NaturalEnds(),
        log_dir=tmp_path / "logs",
        interrupted=interrupted,
    )
    return Bench(setting, Trace(), engine)
