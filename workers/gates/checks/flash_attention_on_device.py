"""flash_attention_on_device: attention runs on the GPU, fused."""

from __future__ import annotations

import re

from search_spaces.variants import flags_of
from workers.contract.failure import FailureKind
from workers.contract.reports import RigKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed
from workers.gates.graph_splits import most_splits
from workers.gates.log_sections import line_of, target_part

_ELSEWHERE = re.compile(
    r"layer \d+ is assigned to device (\S+) but (?:the )?Flash Attention(?: tensor)? "
    r"is assigned to device (\S+)",
    re.IGNORECASE,
)
_DISABLED = re.compile(
    r"Flash Attention (?:was auto|not supported), set to disabled", re.IGNORECASE
)
_CONVERTED = re.compile(r"no Flash ?Attention vector kernel compiled for K/V types", re.IGNORECASE)
_EXACT = frozenset({"f16", "bf16", "f32"})


class FlashAttentionOnDevice:
    """Catches attention that quietly moved to the CPU.

    CUDA builds before September 2026 have kernels for few K/V pairs; with any other pair
    `-fa on` computes attention on the CPU (8 to 45 times slower) and logs nothing but a graph
    with one more split per attention layer. Later builds convert to f16 and warn. Either way the
    table would blame the KV type for what the build lacks.
    """

    name = "flash_attention_on_device"
    when = "launch"
    fatal = True
    kind = FailureKind.SILENT_CPU_FALLBACK
    advice = "Use a build with all FlashAttention pairs (GGML_CUDA_FA_QUANTS=all), or another pair."

    def check(self, scene: Scene) -> Finding | None:
        """None on a CPU rig, where there is nothing to fall back from."""
        if scene.rig.kind is RigKind.CPU:
            return None
        for sign in (_ELSEWHERE, _DISABLED):
            if found := sign.search(scene.log):
                return failed(self, line_of(scene.log, found))
        if converted := _CONVERTED.search(scene.log):
            return flagged(self, line_of(scene.log, converted))
        splits = most_splits(target_part(scene.log))
        if splits is None or not self._all_on_device(scene):
            return passed(self)
        if splits <= self._usual_splits(scene):
            return passed(self, f"{splits} graph splits")
        said = f"{splits} graph splits: part of each layer runs on the CPU"
        exact = {scene.candidate.kv_k.lower(), scene.candidate.kv_v.lower()} <= _EXACT
        # With an exact cache it is some other operation that this build lacks: true of every
        # candidate of this model, so worth a mark, not a failure.
        return flagged(self, said) if exact else failed(self, said)

    def _all_on_device(self, scene: Scene) -> bool:
        """Where the candidate itself leaves work on the CPU, splits say nothing."""
        asked = scene.candidate
        kept_back = (asked.n_cpu_moe, asked.override_tensor, flags_of(asked.flags))
        whole = not asked.ngl.isdigit() or int(asked.ngl) >= 99
        return whole and not any(kept_back) and asked.split_mode not in ("row", "tensor", "graph")

    def _usual_splits(self, scene: Scene) -> int:
        """Two for one card (the embedding is looked up on the CPU), more per card; with room."""
        return 4 + 4 * max(len(scene.rig.cards), 1)


GATE = FlashAttentionOnDevice()
