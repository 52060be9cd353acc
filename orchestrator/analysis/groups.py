"""Which records belong on one front: those of one rig and, normally, one context capacity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.analysis.records import Measured


@dataclass(frozen=True, slots=True, order=True)
class GroupKey:
    """One front's rig and context capacity (None: ctx is an objective, all sizes compete)."""

    rig: str
    ctx: int | None = None

    def title(self, many_ctx: bool = True) -> str:
        """For people; the context is left out where all groups share it."""
        return self.rig if self.ctx is None or not many_ctx else f"{self.rig}, ctx {self.ctx:,}"


def grouped(
    records: Iterable[Measured], objectives: Mapping[str, Any]
) -> dict[GroupKey, tuple[Measured, ...]]:
    """Records by front, in order of rig and ctx.

    An empty long context is as fast and as good as a short one, so different capacities compete
    on one front only when capacity itself is a goal.
    """
    found: dict[GroupKey, list[Measured]] = defaultdict(list)
    for record in records:
        ctx = None if "ctx" in objectives else record.candidate.ctx
        found[GroupKey(record.rig, ctx)].append(record)
    ordered = sorted(found, key=lambda key: (key.rig, key.ctx or 0))
    return {key: tuple(found[key]) for key in ordered}
