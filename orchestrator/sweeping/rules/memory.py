"""What certainly does not fit is not tried; what may fit is."""

from __future__ import annotations

from functools import lru_cache

from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from workers.contract.model_header import ModelHeader
from workers.memory.calibration import ComputeSize
from workers.memory.model import predict
from workers.memory.of_candidate import request_of
from workers.memory.prediction import Prediction
from workers.memory.request import MemoryRequest
from workers.memory.verdict import TooBig, fits


def fits_memory(ground: Ground, candidate: Candidate) -> str | None:
    """Weights, KV cache and state alone above the rig's memory: out, and by how much."""
    predicted = prediction_for(ground, candidate)
    if predicted is None:
        return None
    rig = ground.rig
    cards = [card.memory_mib for card in rig.cards]
    verdict = fits(predicted, cards or 0, host_capacity_mib=rig.memory_mib)
    return verdict.sentence if isinstance(verdict, TooBig) and verdict.certain else None


def prediction_for(ground: Ground, candidate: Candidate) -> Prediction | None:
    """What the memory model expects of a candidate on a rig; None without a readable header."""
    target, drafter = ground.model(candidate), ground.drafter(candidate)
    if target is None or target.gguf is None:
        return None
    placed = ground.rig.placed(candidate)
    request = request_of(placed, ground.rig, drafter.gguf if drafter else None)
    return _predict(target.gguf, request, _compute(ground, candidate))


def _compute(ground: Ground, candidate: Candidate) -> ComputeSize | None:
    if ground.engine(candidate) is None:
        return None
    resolved = Resolver(ground.space, ground.rig, ground.host).resolve(candidate)
    return ground.probes.of(resolved, ground.rig)


@lru_cache(maxsize=100_000)
def _predict(
    header: ModelHeader, request: MemoryRequest, compute: ComputeSize | None
) -> Prediction:
    return predict(header, request, compute)
