"""What a failure is called, and what travels with it.

A failure is a result: it is stored, counted, shown and taught to the sampler. Its kind says
whether the *configuration* is at fault (out of memory, a KV type the build lacks), the
*measurement* (a number that would be a lie), or the *machinery* (a port taken, an actor lost).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FailureKind(StrEnum):
    """One word per class of failure; the values are stored in the database."""

    OUT_OF_MEMORY = "out_of_memory"
    MEMORY_SPILL = "memory_spill"
    CAPABILITY_MISSING = "capability_missing"
    MODEL_INCOMPATIBLE = "model_incompatible"
    DRAFT_INCOMPATIBLE = "draft_incompatible"
    BAD_MODEL_FILE = "bad_model_file"
    INVALID_CONFIG = "invalid_config"
    CONTEXT_OVERFLOW = "context_overflow"
    DRIVER_OR_INSTALL = "driver_or_install"
    NETWORK_PORT = "network_port"
    TIMEOUT_HANG = "timeout_hang"
    ENGINE_CRASH = "engine_crash"
    SPEC_NOT_ENGAGED = "spec_not_engaged"
    SILENT_CPU_FALLBACK = "silent_cpu_fallback"
    QUALITY_BROKEN = "quality_broken"
    GATE = "gate"
    WORKER_LOST = "worker_lost"
    HOST_LOST = "host_lost"
    RIG_OCCUPIED = "rig_occupied"
    DISK_FULL = "disk_full"
    INTERRUPTED = "interrupted"

    @property
    def is_infrastructure(self) -> bool:
        """True where the machinery failed: try once more on a fresh engine, teach nothing."""
        return self in _INFRASTRUCTURE


_INFRASTRUCTURE = frozenset(
    {
        FailureKind.NETWORK_PORT,
        FailureKind.WORKER_LOST,
        FailureKind.HOST_LOST,
        FailureKind.RIG_OCCUPIED,
        FailureKind.DISK_FULL,
        FailureKind.INTERRUPTED,
    }
)


class Phase(StrEnum):
    """What the engine was doing when it failed."""

    RESOLVE = "resolve"
    LOAD = "load"
    WARMUP = "warmup"
    GATE = "gate"
    MEASURE = "measure"
    PERPLEXITY = "perplexity"
    DIVERGENCE = "divergence"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why something failed, in words a person can act on.

    `evidence` is the decisive log line (or the fact that decided), `advice` one sentence,
    `deterministic` whether the same configuration would fail again.
    """

    kind: FailureKind
    evidence: str
    advice: str
    deterministic: bool
    detail: str = ""  # e.g. weights / kv / compute / draft for out_of_memory
