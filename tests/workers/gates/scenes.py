"""Scenes for gates: one in which everything is well, to be changed in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from search_spaces.candidate import Candidate
from tests.support.script import Script
from tests.support.scripted_server import Serving, serving
from workers.contract.reports import Card, RigKind, RigReport
from workers.gates.base import Finding, Gate, Scene
from workers.gates.canary import CANARY_TEXT
from workers.http.client import ServerClient
from workers.http.completion import Completion

MODEL = Path("/models/target.gguf")
DRAFTER = Path("/models/drafter.gguf")
CARD = Card(0, "NVIDIA GeForce RTX 5090", "GPU-0", 32_000)
CPU = RigReport("cpu", RigKind.CPU, "host", "a CPU", 2, 2, 24_000, "Linux")
GPU = RigReport("rtx5090", RigKind.CUDA, "host", "a CPU", 8, 8, 64_000, "Linux", (CARD,), "570")
PLAIN = Candidate(model=str(MODEL), ctx=4096)
DFLASH = replace(PLAIN, spec="draft-dflash", drafter=str(DRAFTER), n_max=4, p_min=0.0)


def scene(candidate: Candidate = PLAIN, rig: RigReport = CPU, **observed: Any) -> Scene:
    """A scene in which nothing was observed but what is given."""
    drafter = DRAFTER if candidate.needs_drafter else None
    return Scene(candidate, MODEL, drafter, rig, None, **observed)


def completion(**values: Any) -> Completion:
    """A plausible answer of 16 tokens; `values` replace what a test is about."""
    words = tuple(range(16))
    plain = Completion(
        text=" ".join(map(str, words)),
        tokens=words,
        prompt_n=40,
        prompt_ms=80.0,
        predicted_n=16,
        predicted_ms=160.0,
        draft_n=0,
        draft_n_accepted=0,
        cache_n=0,
        wall_ms=242.0,
    )
    return replace(plain, **values)


def verdict_of(gate: Gate, here: Scene) -> Finding:
    """What a gate finds in a scene where it applies."""
    finding = gate.check(here)
    assert finding is not None, f"{gate.name} does not apply"
    return finding


def is_fatal(finding: Finding) -> bool:
    """Whether it fails the job."""
    return not finding.verdict.passed and finding.verdict.fatal


def is_flag(finding: Finding) -> bool:
    """Whether it only marks the numbers."""
    return not finding.verdict.passed and not finding.verdict.fatal


def arguments_of(candidate: Candidate, script: Script) -> list[str]:
    """The scripted server's command line for a candidate."""
    words = ["-m", candidate.model, "-c", str(candidate.ctx), "--metrics"]
    words += ["-ctk", candidate.kv_k, "-ctv", candidate.kv_v]
    if candidate.drafts:
        words += ["--spec-type", candidate.spec]
    if candidate.drafter:
        words += [script.drafter_flag, candidate.drafter]
    if candidate.n_max:
        words += [script.n_max_flag, str(candidate.n_max)]
    return words


def observe(
    script: Script, candidate: Candidate, rig: RigReport = CPU, prompts: Sequence[str] = ("a b c",)
) -> Scene:
    """The scene that a worker would see: a real server is asked over HTTP."""
    with serving(script, arguments_of(candidate, script)) as served:
        return ask(served, candidate, rig, prompts)


def ask(
    served: Serving, candidate: Candidate, rig: RigReport = CPU, prompts: Sequence[str] = ("a b c",)
) -> Scene:
    """Two canaries, then each prompt twice."""
    with ServerClient(served.url) as client:
        before = client.metrics()
        canaries = [client.completion(CANARY_TEXT, 24) for _ in range(2)]
        after = client.metrics()
        return scene(
            candidate,
            rig,
            props=client.props(),
            slots=client.slots(),
            log=served.log,
            canaries=canaries,
            measured=[client.completion(prompt, 32) for prompt in (*prompts, *prompts)],
            passes=2,
            metrics_before=before,
            metrics_after=after,
            pid_owns_port=True,
        )
