"""What certainly does not fit is not tried; what may fit is."""

from __future__ import annotations

from functools import lru_cache

from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from workers.contract.model_header import ModelHeader
from workers.contract.reports import RigReport
from workers.memory.model import predict
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
    request = request_of(candidate, ground.rig, drafter.gguf if drafter else None)
    return _predict(target.gguf, request)


@lru_cache(maxsize=100_000)
def _predict(header: ModelHeader, request: MemoryRequest) -> Prediction:
    return predict(header, request)


def request_of(candidate: Candidate, rig: RigReport, drafter: ModelHeader | None) -> MemoryRequest:
    """The candidate as the memory model wants it."""
    split = tuple(float(card.memory_mib) for card in rig.cards)
    if candidate.tensor_split and split:
        given = tuple(float(part) for part in candidate.tensor_split.split(","))
        split = given if len(given) == len(split) else split
    return MemoryRequest(
        ctx=candidate.ctx,
        kv_k=candidate.kv_k,
        kv_v=candidate.kv_v,
        n_ubatch=candidate.ubatch,
        spec=candidate.spec,
        n_max=candidate.n_max or 0,
        drafter=drafter,
        draft_kv_k=candidate.draft_kv_k or "f16",
        draft_kv_v=candidate.draft_kv_v or "f16",
        ngl=None if candidate.ngl == "all" else int(candidate.ngl),
        n_cpu_moe=candidate.n_cpu_moe or 0,
        split=split,
        split_mode="tensor" if candidate.split_mode == "tensor" else "layer",
    )
