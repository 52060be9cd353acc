"""The rigs of this host: one for each card, or the CPU where there is none."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence

from workers.contract.reports import Card, RigKind, RigReport
from workers.gpu.host import cpu_model, memory_mib, physical_cores, usable_threads
from workers.gpu.names import rig_names
from workers.gpu.nvml import Inventory, inventory


def discover_cards() -> tuple[Card, ...]:
    """The NVIDIA cards this process may use; empty without a driver."""
    return visible(inventory().cards, os.environ)


def discover_rigs(host: str = "", found: Inventory | None = None) -> tuple[RigReport, ...]:
    """One rig per card, named after it, or one named `cpu`.

    `host` is a name for this machine where its own will not do; `found` what NVML said, for
    tests. Pairs of cards are not guessed: the user names them.
    """
    found = inventory() if found is None else found
    cards = visible(found.cards, os.environ)
    if not cards:
        return (_rig("cpu", RigKind.CPU, host),)
    names = rig_names(card.name for card in cards)
    return tuple(
        _rig(name, RigKind.CUDA, host, (card,), found.driver)
        for name, card in zip(names, cards, strict=True)
    )


def visible(cards: Sequence[Card], environment: Mapping[str, str]) -> tuple[Card, ...]:
    """The cards that CUDA_VISIBLE_DEVICES leaves: a batch system gives a job some of a host's.

    Numbers are NVML's (the PCI order), names are UUIDs or their beginnings, and as in CUDA the
    list ends at the first entry that names no card. NVML itself does not know the variable.
    """
    setting = environment.get("CUDA_VISIBLE_DEVICES")
    if setting is None:
        return tuple(cards)
    kept: list[Card] = []
    for entry in (part.strip() for part in setting.split(",")):
        card = next((c for c in cards if _is(c, entry)), None)
        if card is None or card in kept:
            break
        kept.append(card)
    return tuple(kept)


def _is(card: Card, entry: str) -> bool:
    if entry.isdigit():
        return card.index == int(entry)
    return bool(entry) and card.uuid.startswith(entry)


def _rig(
    name: str, kind: RigKind, host: str, cards: tuple[Card, ...] = (), driver: str = ""
) -> RigReport:
    return RigReport(
        name=name,
        kind=kind,
        host=host or platform.node() or "localhost",
        cpu_model=cpu_model(),
        cores=physical_cores(),
        threads=usable_threads(),
        memory_mib=memory_mib(),
        os=f"{platform.system()} {platform.release()}",
        cards=cards,
        driver=driver,
    )
