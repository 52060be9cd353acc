"""What a check of this machine looks at, and what it is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from workers.doctor.finding import Finding
from workers.gpu.nvml import Inventory


@dataclass(frozen=True)
class Host:
    """This machine as checks see it; tests hand in another one.

    `engines` are the binaries or folders that the user named; `root` is where /etc, /proc and
    /sys lie.
    """

    cards: Inventory
    engines: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    root: Path = Path("/")


class Check(Protocol):
    """`looks_at` says in a few words what it looks at, for the docs."""

    name: str
    looks_at: str

    def check(self, host: Host) -> Iterable[Finding]:
        """What it found; what is as it should be is told with severity OK."""
        ...
