"""What the hosts of a cluster are called: names that stay the same when a node is restarted.

A host is called what its owner called the node (`ray start --node-name`), else by its host name.
Node ids are new at every start, so nothing is named by them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workers.contract.reports import HostReport, RigReport


@dataclass(frozen=True, slots=True)
class Node:
    """A living node: Ray's id for it, and where it is. `name` may be that of other nodes too."""

    id: str
    name: str
    address: str
    port: int


@dataclass(frozen=True, slots=True)
class Found:
    """What was found on a host. `machine` tells the physical machine: equal where it is one."""

    host: str
    machine: str
    report: HostReport


def named(nodes: Sequence[Node]) -> dict[str, Node]:
    """By a name of its own for each: equal ones are numbered, in the order of their addresses."""
    by_name: dict[str, Node] = {}
    for node in sorted(nodes, key=lambda node: (node.name, node.address, node.port)):
        base = re.sub(r"[^A-Za-z0-9_.-]+", "-", node.name).strip("-.") or "host"
        name, number = base, 1
        while name in by_name:
            number += 1
            name = f"{base}-{number}"
        by_name[name] = node
    return by_name


def as_fleet(found: Sequence[Found]) -> list[HostReport]:
    """The reports under the hosts' names, their rigs as HOST.RIG.

    A card that two hosts report, because they are one machine, is the first one's. The cores of
    such hosts are shared, and their rigs say so.
    """
    first: dict[str, str] = {}
    seen: set[str] = set()
    hosts = []
    for one in found:
        shared = first.setdefault(one.machine, one.host)
        machine = shared if _is_shared(one, found) else ""
        rigs = [
            replace(rig, name=f"{one.host}.{rig.name}", host=one.host, machine=machine)
            for rig in one.report.rigs
            if not _uuids(rig) & seen
        ]
        seen |= {uuid for rig in rigs for uuid in _uuids(rig)}
        warnings = (f"{one.host}: {warning}" for warning in one.report.warnings)
        hosts.append(replace(one.report, host=one.host, rigs=tuple(rigs), warnings=tuple(warnings)))
    return hosts


def _is_shared(one: Found, found: Sequence[Found]) -> bool:
    return sum(other.machine == one.machine for other in found) > 1


def _uuids(rig: RigReport) -> set[str]:
    return {card.uuid for card in rig.cards}
