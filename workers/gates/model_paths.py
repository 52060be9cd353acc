"""Comparing the model a server names with the file it was given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def served_path(props: Mapping[str, Any]) -> str | None:
    """What /props says is served; None where it says nothing (old builds)."""
    path = props.get("model_path")
    return path if isinstance(path, str) and path else None


def same_file(served: str, ours: Path) -> bool:
    """True for one file under two spellings, links included.

    A bare file name counts when it is ours: some builds print the name alone.
    """
    if served == ours.name or Path(served) == ours:
        return True
    return Path(served).resolve() == ours.resolve()
