"""What comes with the package: spaces and profiles, by name. Imports nothing, so help is fast."""

from __future__ import annotations

from pathlib import Path

SPACES = Path(__file__).parent
PROFILES = SPACES / "profiles"


def builtin_names() -> list[str]:
    """The spaces."""
    return sorted(path.stem for path in SPACES.glob("*.yaml"))


def profile_names() -> list[str]:
    """The profiles of rigs."""
    return sorted(path.stem for path in PROFILES.glob("*.yaml"))
