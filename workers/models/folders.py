"""Where this host keeps models: one space is then right on hosts that keep them in other places."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

FOLDERS_VARIABLE = "ORCHESTRATE_MODELS"


def folders() -> list[Path]:
    """The folders that ORCHESTRATE_MODELS lists, separated as in PATH; none where it is unset."""
    listed = os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep)
    return [Path(entry).expanduser() for entry in listed if entry.strip()]


def in_folders(path: Path) -> Path | None:
    """The file of that path below one of the folders, else the first one of its name in them."""
    return next((found for found in _candidates(path) if found.is_file()), None)


def _candidates(path: Path) -> Iterator[Path]:
    if not path.is_absolute():
        yield from (folder / path for folder in folders())
    for folder in folders():
        yield from sorted(found for found in folder.rglob("*.gguf") if found.name == path.name)
