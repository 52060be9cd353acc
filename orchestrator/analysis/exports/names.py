"""Names of candidates that stay the same, for keys of files that other programs refer to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.words import short_name
from search_spaces.candidate import Candidate

_UNUSUAL = re.compile(r"[^A-Za-z0-9._+-]+")


def stable_name(candidate: Candidate) -> str:
    """For example Qwen3.6-27B-UD-Q5_K_XL-kv_q4_0_turbo4-dflash-256k.

    It says what clients notice, and nothing that a next sweep may tune: a better draft length
    or batch size comes under the same name.
    """
    c = candidate
    spec = c.spec.removeprefix("draft-").replace(",", "+")
    size = f"{c.ctx // 1024}k" if c.ctx % 1024 == 0 else f"{c.ctx}"
    return _UNUSUAL.sub("-", f"{short_name(c.model)}-kv_{c.kv_k}_{c.kv_v}-{spec}-{size}")


def distinct(requests: Sequence[ExportRequest]) -> tuple[ExportRequest, ...]:
    """The requests, those of equal names told apart by draft length, then by rig, then by key.

    What is added depends on the candidate alone, never on its place in the list.
    """
    for tell in _TELLS:
        counts = Counter(request.name for request in requests)
        requests = [
            replace(request, name=_UNUSUAL.sub("-", f"{request.name}{tell(request)}"))
            if counts[request.name] > 1
            else request
            for request in requests
        ]
    return tuple(requests)


_TELLS: tuple[Callable[[ExportRequest], str], ...] = (
    lambda request: f"-n{n}" if (n := request.record.candidate.n_max) is not None else "",
    lambda request: f"-{request.record.rig}",
    lambda request: f"-{request.record.candidate.asked_key[:8]}",
)
