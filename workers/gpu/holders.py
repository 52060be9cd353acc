"""Who computes on which card of this host, by NVML: for bindings, and for cards in use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import psutil

from workers.gpu.nvml import NvmlReader, inventory


def pids_by_card(api: Any = None) -> Mapping[str, frozenset[int]]:
    """The processes that compute on each card, by UUID; empty without a driver.

    In a container the driver may name pids of the host, or none.
    """
    found: dict[str, frozenset[int]] = {}
    for card in inventory(api).cards:
        try:
            reader = NvmlReader([card.uuid], api=api)
        except LookupError:
            continue  # it fell off the bus between the two questions
        try:
            found[card.uuid] = frozenset(process.pid for process in reader.read().processes)
        finally:
            reader.close()
    return found


def cards_in_use(api: Any = None) -> tuple[str, ...]:
    """UUIDs of cards on which something other than this process and its children computes."""
    ours = {os.getpid(), *(child.pid for child in psutil.Process().children(recursive=True))}
    return tuple(uuid for uuid, pids in pids_by_card(api).items() if pids - ours)
