"""What the parent tells the embedded engine's child: one line of JSON, nothing else.

Free of other imports: the child starts anew for every launch.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """One launch. Types and kinds by name; None: left at the build's default."""

    model: str
    port: int
    threads: int
    kv_k: str
    kv_v: str
    ctx: int
    batch: int
    ubatch: int
    spec: tuple[str, ...]
    ngl: str = "all"
    drafter: str | None = None
    n_max: int | None = None
    n_min: int | None = None
    p_min: float | None = None
    draft_kv_k: str | None = None
    draft_kv_v: str | None = None
    load_mode: str | None = None
    verbosity: int = 4

    def to_json(self) -> str:
        """One line, for a command line."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> EmbeddedSettings:
        """The inverse of `to_json`."""
        values = json.loads(text)
        return cls(**{**values, "spec": tuple(values["spec"])})
