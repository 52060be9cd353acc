"""A candidate as the memory model wants it, and what the model expects of it."""

from __future__ import annotations

from search_spaces.candidate import Candidate
from workers.contract.model_header import ModelHeader
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.memory.calibration import ComputeKey
from workers.memory.prediction import Prediction
from workers.memory.request import MemoryRequest
from workers.memory.terms import MIB


def request_of(
    candidate: Candidate,
    rig: RigReport,
    drafter: ModelHeader | None,
    draft_ctx: int | None = None,
) -> MemoryRequest:
    """The candidate as the memory model wants it. `draft_ctx` is the build's, where it has one."""
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
        draft_ctx=draft_ctx if "dflash" in candidate.spec else None,
        ngl=None if candidate.ngl == "all" else int(candidate.ngl),
        n_cpu_moe=candidate.n_cpu_moe or 0,
        override_tensor=candidate.override_tensor or "",
        load_mode=candidate.load_mode or "",
        split=split,
        split_mode="tensor" if candidate.split_mode == "tensor" else "layer",
    )


def compute_key(resolved: ResolvedCandidate, rig: RigReport) -> ComputeKey:
    """What sizes this launch's compute buffers, its context left out."""
    candidate = resolved.candidate
    request = request_of(candidate, rig, None)
    return ComputeKey(
        model_hash=resolved.model,
        n_ubatch=candidate.ubatch,
        flash_attn=request.flash_attn,
        kv_k=candidate.kv_k,
        kv_v=candidate.kv_v,
        spec=candidate.spec,
        n_max=candidate.n_max or 0,
        drafter_hash=resolved.drafter or "",
        build=resolved.engine,
        ngl=request.ngl,
        split=request.split,
    )


def predicted_mib(prediction: Prediction, rig: RigReport) -> float:
    """MiB expected after loading: on the rig's cards, or on the host where it has none."""
    held = prediction.estimate() if rig.cards else prediction.host.total()
    return held / MIB
