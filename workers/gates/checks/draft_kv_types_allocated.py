"""draft_kv_types_allocated: the drafter's KV cache has the types that were asked for."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed
from workers.gates.kv_lines import kv_allocations, other_types
from workers.gates.log_sections import draft_part


class DraftKvTypesAllocated:
    """Catches a drafter's cache of another type: quantised ones cost acceptance, and some forks
    redirect their types for drafters to others than for targets (turbo3 becomes q3_0)."""

    name = "draft_kv_types_allocated"
    when = "launch"
    fatal = False
    kind = FailureKind.CAPABILITY_MISSING
    advice = "This build has no such KV type for drafters: name the one it really allocates."

    def check(self, scene: Scene) -> Finding | None:
        """None where nothing was asked, or where the drafter keeps no cache of its own."""
        asked = scene.candidate
        caches = kv_allocations(draft_part(scene.log))
        if not asked.needs_drafter or not caches or not (asked.draft_kv_k or asked.draft_kv_v):
            return None
        largest = max(caches, key=lambda cache: cache.mib)
        differing = other_types(
            [largest], asked.draft_kv_k or largest.k, asked.draft_kv_v or largest.v or ""
        )
        said = f"{largest.k}/{largest.v or 'none'}"
        if not differing:
            return passed(self, said)
        return flagged(
            self,
            f"asked for {asked.draft_kv_k or 'any'}/{asked.draft_kv_v or 'any'}, allocated {said}",
            effective={f"draft_kv_{half}": kind for half, kind in differing.items()},
        )


GATE = DraftKvTypesAllocated()
