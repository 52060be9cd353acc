"""Jobs for a worker: on a scripted engine of this process, or on a scripted binary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe
from search_spaces.space import EngineRef
from tests.support.gguf_writer import write_dflash, write_gguf
from tests.support.script import Script
from tests.support.scripted_engine import LOGITS, SERVER, ScriptedEngine
from tests.support.scripted_server import write_scripted_server
from tests.workers.facets.bench import PLAIN, QUICK
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome
from workers.contract.resolved import ResolvedCandidate
from workers.engines.base import EngineError
from workers.engines.registry import make_engine
from workers.models.hashing import content_hash

SPEED = (Facet.THROUGHPUT, Facet.MEMORY)
EMBEDDED = EngineRef(kind="embedded")
OOM = EngineError(Diagnosis(FailureKind.OUT_OF_MEMORY, "no room", "Use less.", True), Phase.LOAD)

Using = Callable[[ScriptedEngine], None]
"""Makes an engine the one that every job gets."""


def job_of(
    tmp_path: Path,
    candidate: Candidate = PLAIN,
    facets: tuple[Facet, ...] = SPEED,
    engine: EngineRef = EMBEDDED,
    server: str = SERVER.sha256,
    **changes: Any,
) -> Job:
    """A job whose files are there, planned with what they hold."""
    model, drafter = tmp_path / "target.gguf", tmp_path / "drafter.gguf"
    write_gguf(model)
    write_dflash(drafter)
    named = replace(candidate, model=str(model), drafter=candidate.drafter and str(drafter))
    hashes = content_hash(model), content_hash(drafter) if candidate.drafter else None
    job = Job(
        id="job-1",
        resolved=ResolvedCandidate(named, server, LOGITS.sha256, *hashes),
        engine=engine,
        facets=facets,
        recipe=Recipe(throughput=QUICK),
        memo={facet: f"key-of-{facet}" for facet in facets},
        log_dir=str(tmp_path / "logs" / "job-1"),
    )
    return replace(job, **changes)


def served_by(tmp_path: Path, script: Script, candidate: Candidate = PLAIN) -> Job:
    """A job on a real engine object whose binary is a scripted server."""
    binary = write_scripted_server(tmp_path / "bin" / "llama-server", script)
    ref = EngineRef(kind="llama_server", path=str(binary))
    build = make_engine("mine", ref).probe().build("server")
    assert build is not None
    return job_of(tmp_path, candidate, engine=ref, server=build.sha256)


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed)
    return outcome
