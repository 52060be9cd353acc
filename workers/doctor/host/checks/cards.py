"""cards: drivers and NVML."""

from __future__ import annotations

from collections.abc import Iterator

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.gpu.discover import visible


class Cards:
    """Catches a card that a driver, a container or CUDA_VISIBLE_DEVICES hides."""

    name = "cards"
    looks_at = "NVIDIA driver, NVML, the cards it lists, and CUDA_VISIBLE_DEVICES"

    def check(self, host: Host) -> Iterator[Finding]:
        """A machine without a card is no fault: the CPU is then the rig."""
        found = host.cards
        if found.problem is not None:
            yield self._finding(
                Severity.INFO,
                f"{found.problem}; the CPU is the rig here.",
                "With an NVIDIA card in this machine: install its driver, and in a container "
                "start it with the cards (docker run --gpus all).",
            )
            return
        names = ", ".join(f"{card.name} ({card.memory_mib:,} MiB)" for card in found.cards)
        yield self._finding(Severity.OK, f"driver {found.driver}: {names}.")
        hidden = len(found.cards) - len(visible(found.cards, host.environment))
        if hidden:
            setting = host.environment.get("CUDA_VISIBLE_DEVICES", "")
            yield self._finding(
                Severity.WARNING,
                f"CUDA_VISIBLE_DEVICES={setting!r} hides {hidden} of {len(found.cards)} cards.",
                "Unset it to measure on all of them.",
            )

    def _finding(self, severity: Severity, evidence: str, advice: str = "") -> Finding:
        return Finding(self.name, severity, Confidence.HIGH, evidence, advice)


CHECK = Cards()
