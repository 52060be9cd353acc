"""card_users: other programs on the cards."""

from __future__ import annotations

from collections.abc import Iterator

import psutil

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.gpu.nvml import NvmlReader
from workers.gpu.reader import ProcessMemory

_DESKTOP_MIB = 1024  # of each card: what a desktop and its browser commonly hold


class CardUsers:
    """Catches what else computes on a card or fills its memory: both change what is measured."""

    name = "card_users"
    looks_at = "processes that compute on the cards, and memory in use"

    def check(self, host: Host) -> Iterator[Finding]:
        """Nothing without a card."""
        for card in host.cards.cards:
            reader = NvmlReader([card.uuid])
            try:
                seen = reader.read()
            finally:
                reader.close()
            used = seen.mem_used_mib or 0.0
            busy = bool(seen.processes) or used > _DESKTOP_MIB
            who = ", ".join(map(_named, seen.processes)) or "no process that the driver names"
            yield Finding(
                self.name,
                Severity.WARNING if busy else Severity.OK,
                Confidence.HIGH if seen.processes or not busy else Confidence.MEDIUM,
                f"{card.name}: {used:,.0f} MiB in use by {who}.",
                "Stop it while a sweep runs." if busy else "",
            )


def _named(process: ProcessMemory) -> str:
    """In a container the driver may name processes of the host, which are not seen from here."""
    try:
        name = psutil.Process(process.pid).name()
    except psutil.Error:
        name = "a process of another container or host"
    memory = "" if process.mib is None else f", {process.mib:,.0f} MiB"
    return f"{name} (pid {process.pid}{memory})"


CHECK = CardUsers()
