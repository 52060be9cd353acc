"""Bytes per element of every KV-cache type, mainline's and the forks'.

Types are stored in blocks of `block` elements that take `block_bytes`. Forks change layouts
between releases; where two are known the smaller is kept, so that a prediction stays a lower
bound.
"""

from __future__ import annotations

from dataclasses import dataclass

_GGML = "ggml/src/ggml-common.h (block_*)"
_TURBO = "ggml-common.h of llama-cpp-turboquant and buun-llama-cpp (block_turbo*)"
_BEE = "BeeLlama README v0.4.7 (0d055e157), KV Cache Type Reference"
_KVARN = _BEE + "; the body with its scales, beside which a tail stays exact"
_IK = "ik_llama.cpp ggml-common.h; q8_KV keeps 8 bytes per row on top, not counted"


@dataclass(frozen=True, slots=True)
class KvType:
    """How one KV type stores a row.

    `exact_window` is for types that always keep the newest tokens unquantized as well: the
    least number of such tokens; 0 for the others.
    """

    name: str
    block: int
    block_bytes: int
    source: str
    exact_window: int = 0

    @property
    def bits(self) -> float:
        """Bits per element."""
        return 8 * self.block_bytes / self.block

    @property
    def is_quantized(self) -> bool:
        """False for the floating-point types."""
        return self.block > 1

    def row_bytes(self, elements: int) -> int:
        """Bytes of one token's keys (or values) in one layer."""
        return -(-elements // self.block) * self.block_bytes


def _types(source: str, *rows: tuple[str, int, int], exact_window: int = 0) -> dict[str, KvType]:
    return {
        name: KvType(name, block, block_bytes, source, exact_window)
        for name, block, block_bytes in rows
    }


KV_TYPES: dict[str, KvType] = {
    **_types(
        _GGML,
        ("f32", 1, 4),
        ("f16", 1, 2),
        ("bf16", 1, 2),
        ("q8_0", 32, 34),
        ("q5_1", 32, 24),
        ("q5_0", 32, 22),
        ("q4_1", 32, 20),
        ("q4_0", 32, 18),
        ("iq4_nl", 32, 18),
    ),
    **_types(
        _TURBO,
        ("turbo8", 128, 130),
        ("turbo4", 128, 66),  # 68 in builds with a second norm
        ("turbo3", 128, 50),  # 4 x 14 in builds with blocks of 32
        ("turbo2", 128, 34),  # 4 x 10 in builds with blocks of 32
        ("turbo3_tcq", 128, 52),
        ("turbo2_tcq", 128, 36),
        ("turbo1_tcq", 128, 20),
    ),
    **_types(
        _BEE,
        ("q6_1", 32, 28),
        ("q6_0", 32, 26),
        ("q3_1", 32, 16),
        ("q3_0", 32, 14),
        ("q2_1", 32, 12),
        ("q2_0", 32, 10),
    ),
    **_types(
        _KVARN,
        ("kvarn8", 64, 67),
        ("kvarn6", 64, 51),
        ("kvarn5", 64, 43),
        ("kvarn4", 64, 35),
        ("kvarn3", 64, 27),
        ("kvarn2", 64, 19),
        exact_window=128,
    ),
    **_types(_IK, ("q8_kv", 32, 32)),
}


def find(name: str) -> KvType | None:
    """The type by the name that `-ctk` takes, or None: an unknown type has no known size."""
    return KV_TYPES.get(name.strip().lower())
