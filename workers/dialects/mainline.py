"""llama.cpp since May 2026, and forks that follow it: `--spec-type draft-dflash,...`."""

from __future__ import annotations

from workers.dialects.dialect import Table
from workers.dialects.help_text import Help


def listed_kinds(help_: Help) -> tuple[str, ...]:
    """What `--spec-type a,b` or `--spec-type [a|b]` lists."""
    option = help_.option("--spec-type")
    return option.choices if option else ()


def _recognises(help_: Help) -> bool:
    return "draft-simple" in listed_kinds(help_)


MAINLINE = Table(
    name="mainline",
    recognises=_recognises,
    kinds_in=listed_kinds,
    combines=True,
)
