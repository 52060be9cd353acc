"""A candidate: one full assignment of everything that a launch needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

NO_SPEC = "none"
Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """What to launch, by name. None means "not set": the flag is then not passed at all.

    `model` and `drafter` are references (a path, builtin:NAME, hf:REPO/FILE), `engine` a name
    of the space's `engines`. `ctx` is the context capacity in tokens, `n_max` the draft length
    in tokens, `p_min` the least draft probability, `n_cpu_moe` a number of layers.
    """

    model: str
    engine: str = "embedded"
    kv_k: str = "f16"
    kv_v: str = "f16"
    ctx: int = 4096
    spec: str = NO_SPEC
    drafter: str | None = None
    n_max: int | None = None
    n_min: int | None = None
    p_min: float | None = None
    draft_kv_k: str | None = None
    draft_kv_v: str | None = None
    draft_device: str | None = None
    controller: str | None = None
    batch: int = 2048
    ubatch: int = 512
    ngl: str = "all"
    split_mode: str | None = None
    tensor_split: str | None = None
    n_cpu_moe: int | None = None
    override_tensor: str | None = None
    load_mode: str | None = None
    threads: int | None = None
    flags: str | None = None  # extra flags as typed, or `NAME: FLAGS` of a named variant

    def __post_init__(self) -> None:
        # 0 and 0.0 are one probability, and must be one key.
        if type(self.p_min) is int:
            object.__setattr__(self, "p_min", float(self.p_min))

    @property
    def drafts(self) -> bool:
        """True when this candidate speculates at all."""
        return self.spec != NO_SPEC

    @property
    def needs_drafter(self) -> bool:
        """True for the kinds of speculation that load a second model."""
        return needs_drafter(self.spec)

    @property
    def kv(self) -> str:
        """The pair as people write it: K/V."""
        return f"{self.kv_k}/{self.kv_v}"

    def canonical(self) -> Candidate:
        """The same launch without the settings it would ignore: equal launches become equal."""
        ignored = {n: None for n in ignored_by(self.spec) if getattr(self, n) is not None}
        return replace(self, **ignored) if ignored else self  # type: ignore[arg-type]

    @property
    def asked_key(self) -> str:
        """Hash of the names asked for; stable across processes and versions of this class."""
        return digest(self.as_dict())

    def as_dict(self) -> dict[str, Value]:
        """The settings that are set, by name, for storage and for people."""
        values = ((name, getattr(self, name)) for name in CANDIDATE_FIELDS)
        return {name: value for name, value in values if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Candidate:
        """The inverse of `as_dict`; names that this version does not know raise TypeError."""
        return cls(**dict(values))


_WITH_DRAFTER = frozenset(
    {"draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark", "dflash", "draft", "eagle3"}
)
_DRAFTER_SETTINGS = frozenset({"drafter", "draft_kv_k", "draft_kv_v", "draft_device"})
_DRAFT_SETTINGS = frozenset({"n_max", "n_min", "p_min", "controller"})

CANDIDATE_FIELDS = tuple(field.name for field in fields(Candidate))


def needs_drafter(spec: str) -> bool:
    """Whether a kind of speculation (or one of a comma list) loads a second model."""
    return any(kind in _WITH_DRAFTER for kind in spec.split(","))


@lru_cache(maxsize=1024)
def ignored_by(spec: str) -> frozenset[str]:
    """The fields of a candidate that a launch with this `spec` would ignore."""
    ignored = frozenset[str]() if needs_drafter(spec) else _DRAFTER_SETTINGS
    return ignored | _DRAFT_SETTINGS if spec == NO_SPEC else ignored


def digest(value: object, length: int = 16) -> str:
    """A short content hash of anything JSON can hold."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:length]
