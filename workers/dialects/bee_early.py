"""BeeLlama 0.1 to 0.3 and buun: `--spec-type dflash`, one kind at a time, turbo KV types."""

from __future__ import annotations

from workers.dialects.dialect import Table
from workers.dialects.help_text import Help
from workers.dialects.mainline import listed_kinds


def _recognises(help_: Help) -> bool:
    kinds = listed_kinds(help_)
    return "dflash" in kinds and "draft-dflash" not in kinds


BEE_EARLY = Table(
    name="bee_early",
    recognises=_recognises,
    kinds_in=listed_kinds,
    implies_simple=True,
    per_request_n_max=True,
    draft_ctx=256,  # -cd, 256 with DFlash; mainline has no such flag and drafts over all of it
)
