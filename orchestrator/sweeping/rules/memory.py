"""What certainly does not fit is not tried; what may fit is."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from workers.contract.resolved import ResolvedCandidate
from workers.memory.model import predict
from workers.memory.of_candidate import request_of
from workers.memory.prediction import Prediction
from workers.memory.verdict import Fits, TooBig, fits


def fits_memory(ground: Ground, candidate: Candidate) -> str | None:
    """Weights, KV cache and state alone above the rig's memory: out, and by how much."""
    verdict = verdict_for(ground, candidate)
    return verdict.sentence if isinstance(verdict, TooBig) and verdict.certain else None


def verdict_for(ground: Ground, candidate: Candidate) -> Fits | TooBig | None:
    """Whether a candidate is expected to fit on a rig; None without a readable header."""
    predicted = prediction_for(ground, candidate)
    if predicted is None:
        return None
    cards = [card.memory_mib for card in ground.rig.cards]
    return fits(predicted, cards or 0, host_capacity_mib=ground.rig.memory_mib)


def prediction_for(ground: Ground, candidate: Candidate) -> Prediction | None:
    """What the memory model expects of a candidate on a rig; None without a readable header."""
    target, drafter = ground.model(candidate), ground.drafter(candidate)
    if target is None or target.gguf is None:
        return None
    placed = ground.rig.placed(candidate)
    engine = ground.engine(candidate)
    able = engine.capabilities if engine else None
    request = request_of(
        placed, ground.rig, drafter.gguf if drafter else None, able.draft_ctx if able else None
    )
    probes = ground.probes
    if engine is None or probes.untold:
        return predict(target.gguf, request)
    resolved = Resolver(ground.space, ground.rig, ground.host).resolve(candidate)
    compute, overhead = probes.of(resolved, ground.rig), probes.overhead(resolved)
    return predict(target.gguf, request, compute, overhead)


def learn_from_launch(
    ground: Ground, resolved: ResolvedCandidate, telemetry: Mapping[str, float]
) -> None:
    """Remembers what a launch told of its memory, for the predictions to come.

    A launch of files that have other contents today tells its buffers only.
    """
    ground.probes.learn(resolved, ground.rig, telemetry)
    candidate, loaded = resolved.candidate, telemetry.get("mem_loaded_mib")
    known = ground.probes.of(resolved, ground.rig)
    if loaded is None or known is None or not ground.rig.cards:
        return
    target, drafter = ground.model(candidate), ground.drafter(candidate)
    today = (target.sha256 if target else None, drafter.sha256 if drafter else None)
    predicted = prediction_for(ground, candidate)
    if predicted is not None and today == (resolved.model, resolved.drafter):
        ground.probes.learn_overhead(resolved, predicted, loaded)
