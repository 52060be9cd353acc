"""Short help texts in the shape of each fork's, and the dialects chosen from them."""

from __future__ import annotations

from pathlib import Path

from workers.dialects.choose import choose
from workers.dialects.dialect import Dialect

HELP = Path(__file__).with_name("help")
TEXTS = tuple(sorted(path.stem for path in HELP.glob("*.txt")))

# Which dialect each text is to be recognised as.
EXPECTED = {
    "mainline": "mainline",
    "legacy": "legacy",
    "legacy_2024": "legacy",
    "bee_early": "bee_early",
    "bee_04": "bee_04",
    "ik_llama": "ik_llama",
    "ik_llama_cpu": "ik_llama",
}


def text(name: str) -> str:
    """A recorded help text."""
    return (HELP / f"{name}.txt").read_text(encoding="utf-8")


def dialect(name: str) -> Dialect:
    """The dialect of a recorded help text."""
    found = choose(text(name))
    assert found is not None
    return found
