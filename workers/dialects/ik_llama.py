"""ik_llama.cpp: `--spec-type dflash:n_max=4,p_min=0`, repeated for a second kind.

KV types are not in its help; these are the ones its parser takes (common/common.cpp,
kv_cache_type_from_str, 2026-08-15).
"""

from __future__ import annotations

import re

from workers.dialects.dialect import Table
from workers.dialects.help_text import Help

_TYPES = re.compile(r"\btypes: ((?:[\w-]+, )+[\w-]+)")


def _kinds(help_: Help) -> tuple[str, ...]:
    option = help_.option("--spec-type")
    listed = _TYPES.search(option.text) if option else None
    return tuple(listed[1].split(", ")) if listed else ()


def _recognises(help_: Help) -> bool:
    option = help_.option("--spec-type")
    return option is not None and option.value.startswith("SPEC[:k=v")


_MAINLINES = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1")

IK_LLAMA = Table(
    name="ik_llama",
    recognises=_recognises,
    kinds_in=_kinds,
    combines=True,
    joined=True,
    kv_types=(*_MAINLINES, "q6_0", "q8_KV"),
)
