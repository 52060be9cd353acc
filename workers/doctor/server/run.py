"""Asks every rule about what was watched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import workers.doctor.server.rules as rules
from workers.doctor.finding import Finding, Unchecked
from workers.doctor.registry import offered
from workers.doctor.server.base import Rule, Scene
from workers.doctor.server.window import NotToldError


@cache
def all_rules() -> tuple[Rule, ...]:
    """All rules about a live server, by name."""
    return offered(rules, "RULE")


def judge(
    scene: Scene, known: Sequence[Rule] | None = None
) -> tuple[tuple[Finding, ...], tuple[Unchecked, ...]]:
    """What the rules found, and which of them could not be judged by what the server tells."""
    found: list[Finding] = []
    unchecked: list[Unchecked] = []
    for rule in all_rules() if known is None else known:
        try:
            finding = rule.check(scene)
        except NotToldError as error:
            unchecked.append(Unchecked(rule.name, str(error)))
            continue
        if finding is not None:
            found.append(finding)
    return tuple(found), tuple(unchecked)
