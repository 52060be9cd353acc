"""Finds the rules that compare a live server with a sweep: each module in `rules` offers one.

A module offers its class as `RULE`; it is made with what the sweep measured.
"""

from __future__ import annotations

import orchestrator.analysis.live.rules as rules
from orchestrator.analysis.live.match import Sweep
from workers.doctor.registry import offered
from workers.doctor.server.base import Rule


def rules_of(sweep: Sweep) -> tuple[Rule, ...]:
    """Every rule, asked with this sweep."""
    return tuple(rule(sweep) for rule in offered(rules, "RULE"))
