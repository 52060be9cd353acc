"""Short help texts in the shape of each fork's, and the dialects chosen from them."""

from __future__ import annotations

from pathlib import Path

from workers.assumed.engines import HELP as ASSUMED
from workers.dialects.choose import choose
from workers.dialects.dialect import Dialect

_FILES = {
    path.stem: path
    for folder in (ASSUMED, Path(__file__).with_name("help"))
    for path in folder.glob("*.txt")
}
TEXTS = tuple(sorted(_FILES))

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
    return path_of(name).read_text(encoding="utf-8")


def path_of(name: str) -> Path:
    """Its file: the program's own, or one that only tests read."""
    return _FILES[name]


def dialect(name: str) -> Dialect:
    """The dialect of a recorded help text."""
    found = choose(text(name))
    assert found is not None
    return found
