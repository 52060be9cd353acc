"""engine_config: files and variables that change what every llama.cpp launch does."""

from __future__ import annotations

from collections.abc import Iterator

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.engines.environment import SYSTEM_CONFIG

_PREFIXES = ("LLAMA_", "GGML_", "OMP_", "GOMP_", "KMP_")
_OURS = "An engine that orchestrate starts does not see it; one that you start does."


class EngineConfig:
    """Catches settings that nobody typed: llama.cpp reads them before its command line."""

    name = "engine_config"
    looks_at = "/etc/llama.cpp/config.ini, the user's config.ini, and LLAMA_*, GGML_*, OMP_*"

    def check(self, host: Host) -> Iterator[Finding]:
        """The system's file is the worst: measured launches read it, too."""
        system = host.root / SYSTEM_CONFIG.relative_to("/")
        found = False
        if system.exists():
            found = True
            yield self._finding(
                Severity.WARNING,
                f"{SYSTEM_CONFIG} exists: llama.cpp applies it to every launch, measured ones too.",
                "Move it away for the time of a sweep.",
            )
        home = host.environment.get("HOME", "")
        folder = host.environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
        user = host.root / f"{folder}/llama.cpp/config.ini".lstrip("/")
        if user.exists():
            found = True
            yield self._finding(Severity.INFO, f"{user} exists.", _OURS)
        names = sorted(name for name in host.environment if name.startswith(_PREFIXES))
        if names:
            found = True
            yield self._finding(
                Severity.INFO,
                f"variables that change engines are set: {', '.join(names)}.",
                "Engines that orchestrate starts do not see them; those that you start do.",
            )
        if not found:
            yield self._finding(Severity.OK, "no file and no variable changes engines.")

    def _finding(self, severity: Severity, evidence: str, advice: str = "") -> Finding:
        return Finding(self.name, severity, Confidence.HIGH, evidence, advice)


CHECK = EngineConfig()
