"""llama.cpp before May 2026 and forks of that age: `-md` drafts, `--draft-max`."""

from __future__ import annotations

from workers.dialects.dialect import Table
from workers.dialects.help_text import Help
from workers.dialects.mainline import listed_kinds


def _recognises(help_: Help) -> bool:
    # What every llama-server has ever had; a build without any speculation is one too.
    return all(name in help_ for name in ("--model", "--ctx-size", "--port", "--batch-size"))


LEGACY = Table(
    name="legacy",
    recognises=_recognises,
    kinds_in=listed_kinds,
    implies_simple=True,
)
