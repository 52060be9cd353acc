"""Without a sandbox, for those who insist: limits and a throw-away directory, nothing more.

A program can read what its user can read, and reach the network. Used only where the recipe says
`allow_unconfined: true` and bubblewrap cannot be used.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workers.engines.process import dying_with_parent
from workers.quality.sandbox.base import INSIDE, Command
from workers.quality.sandbox.settings import settings_for


@dataclass(frozen=True)
class Unconfined:
    """See above."""

    python: str = field(default_factory=lambda: str(Path(sys.executable).resolve()))
    name: str = "unconfined"

    @property
    def credentials(self) -> Mapping[str, Any]:
        """It stays who we are."""
        return {}

    def directory(self, folder: Path) -> str:
        """A folder of its own beside what it is given."""
        return str(folder.parent / "box")

    def argv(self, command: Command, folder: Path) -> list[str]:
        """The command with its limits, in a scrubbed environment."""
        box = self.directory(folder)
        Path(box).mkdir()
        settings = settings_for(command, str(folder), count_processes=False)
        told = [f"HOME={box}", f"TMPDIR={box}", "TERM=linux", "LANG=C.UTF-8"]
        words = ["/usr/bin/env", "-i", "-C", box, "PATH=/usr/local/bin:/usr/bin:/bin", *told]
        inside = [self.python, "-I", "-S", str(INSIDE), settings, *command.argv]
        return [*dying_with_parent(), *words, *inside]
