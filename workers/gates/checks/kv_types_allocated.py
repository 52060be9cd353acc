"""kv_types_allocated: the KV cache has the types that were asked for."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed
from workers.gates.kv_lines import kv_allocations, other_types
from workers.gates.log_sections import target_part


class KvTypesAllocated:
    """Catches a cache of another type than the row of the table says.

    BeeLlama since 0.4 takes the names of removed types and redirects them (turbo3_tcq becomes
    kvarn3); builds have also fallen back to f16. The launch is kept under its true types, so
    that two names of one cache become one candidate, and its numbers are flagged.
    """

    name = "kv_types_allocated"
    when = "launch"
    fatal = False
    kind = FailureKind.CAPABILITY_MISSING
    advice = "This build has no such KV type: name the one it really allocates."

    def check(self, scene: Scene) -> Finding | None:
        """Compares the log's allocation lines of the target with the candidate."""
        asked = scene.candidate
        caches = kv_allocations(target_part(scene.log))
        if not caches:
            return flagged(self, "the log does not say which KV types were allocated")
        differing = other_types(caches, asked.kv_k, asked.kv_v)
        said = ", ".join(f"{cache.k}/{cache.v or 'none'}" for cache in caches)
        if not differing:
            return passed(self, said)
        return flagged(
            self,
            f"asked for {asked.kv}, allocated {said}",
            effective={f"kv_{half}": kind for half, kind in differing.items()},
        )


GATE = KvTypesAllocated()
