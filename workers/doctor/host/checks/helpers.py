"""helpers: programs that single features need."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host

# What is needed, by any of the names that systems give it -> what for.
_WANTED: Mapping[tuple[str, ...], str] = {
    ("bwrap",): "code that a model wrote runs in its sandbox (bubblewrap)",
    ("chromium", "chromium-browser", "google-chrome", "chrome"): "pages are tested in it",
}


class Helpers:
    """Catches what is missing before the feature that needs it does."""

    name = "helpers"
    looks_at = "bubblewrap and Chromium on PATH"

    def check(self, host: Host) -> Iterator[Finding]:
        """A missing one costs its feature only."""
        search = host.environment.get("PATH", "")
        for names, use in _WANTED.items():
            found = next(filter(None, (shutil.which(name, path=search) for name in names)), None)
            yield Finding(
                self.name,
                Severity.OK if found else Severity.INFO,
                Confidence.HIGH,
                f"{found or f'{names[0]} is not on PATH'}: {use}.",
                "" if found else f"Install {names[0]} where you need that.",
            )


CHECK = Helpers()
