"""The parameters a space may turn into axes: their types and what they mean.

`kv` is shorthand for a K/V pair (`q8_0/q5_1`): pairs are what people compare, and listing
them avoids the cross product. `draft_kv` is the same for the drafter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from search_spaces.candidate import NO_SPEC, Candidate, Value, ignored_by
from search_spaces.errors import SpaceError
from search_spaces.names import shown


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that can vary. `least` and `most` bound the values that make sense (numbers)."""

    name: str
    kind: type
    meaning: str
    least: float = -math.inf
    most: float = math.inf

    def coerce(self, value: object) -> Value:
        """The value in this parameter's type; raises SpaceError when it is of another."""
        if self.kind is float and type(value) is int:
            value = float(value)
        if type(value) is not self.kind or not isinstance(value, (str, int, float)):
            quote = self.kind is str and isinstance(value, (int, float))
            raise SpaceError(
                f"{shown(value)} is not {_ARTICLE[self.kind]}.",
                key=self.name,
                hint="Put it in quotes." if quote else "",
            )
        problem = self._text(value) if isinstance(value, str) else self._number(value)
        if problem:
            raise SpaceError(
                f"{shown(value)} {problem}.",
                key=self.name,
                hint="Write it as q8_0/q5_1." if self.name in PAIRS else "",
            )
        return value

    def _number(self, value: float) -> str:
        if not math.isfinite(value):
            return "is not a finite number"
        if value < self.least:
            return f"is below the least value {self.least:g}"
        return f"is above the greatest value {self.most:g}" if value > self.most else ""

    def _text(self, value: str) -> str:
        if not value.strip():
            return "is an empty text"
        if any(letter < " " for letter in value):
            return "holds a control character"
        parts = value.split("/")
        if self.name in PAIRS and (len(parts) != 2 or any(p.split() != [p] for p in parts)):
            return "is not a K/V pair"
        return ""


_ARTICLE = {str: "a text", int: "a whole number", float: "a number"}

_ALL = (
    Parameter("engine", str, "a name under engines:"),
    Parameter("model", str, "target model: path, builtin:NAME or hf:REPO/FILE"),
    Parameter("drafter", str, "draft model, same forms as model"),
    Parameter("kv", str, "K/V cache types as one pair, e.g. q8_0/q5_1"),
    Parameter("kv_k", str, "K cache type"),
    Parameter("kv_v", str, "V cache type"),
    Parameter("ctx", int, "context capacity in tokens", 64),
    Parameter("spec", str, "kind of speculation, as the engine names it; none for none"),
    Parameter("n_max", int, "longest draft in tokens", 1),
    Parameter("n_min", int, "shortest draft in tokens", 0),
    Parameter("p_min", float, "least probability of a drafted token", 0.0, 1.0),
    Parameter("draft_kv", str, "the drafter's K/V cache types as one pair"),
    Parameter("draft_kv_k", str, "the drafter's K cache type"),
    Parameter("draft_kv_v", str, "the drafter's V cache type"),
    Parameter("draft_device", str, "device of the drafter"),
    Parameter("controller", str, "adaptive draft controller: on or off"),
    Parameter("batch", int, "logical batch, -b", 1),
    Parameter("ubatch", int, "physical batch, -ub", 1),
    Parameter("ngl", str, "layers on the GPU: all or a number"),
    Parameter("split_mode", str, "layer, row, tensor or none"),
    Parameter("tensor_split", str, "share of each card, e.g. 60,40"),
    Parameter("n_cpu_moe", int, "layers whose experts stay on the CPU", 0),
    Parameter("override_tensor", str, "pattern=buffer pairs, -ot"),
    Parameter("load_mode", str, "how weights are loaded: mmap, none, mlock"),
    Parameter("threads", int, "CPU threads", 1),
    Parameter("flags", str, "extra flags: a name of variants, or as typed on a command line"),
)

PARAMETERS: dict[str, Parameter] = {parameter.name: parameter for parameter in _ALL}
PAIRS: dict[str, tuple[str, str]] = {
    "kv": ("kv_k", "kv_v"),
    "draft_kv": ("draft_kv_k", "draft_kv_v"),
}


def in_parts(assignment: Mapping[str, Value]) -> dict[str, Value]:
    """The assignment with every pair written as its two parts."""
    values = dict(assignment)
    for pair, (key_k, key_v) in PAIRS.items():
        if pair in values:
            values[key_k], _, values[key_v] = str(values.pop(pair)).partition("/")
    return values


@lru_cache(maxsize=1024)
def without_effect(spec: str) -> frozenset[str]:
    """The parameters that a launch with this `spec` ignores: without drafting, n_max and more."""
    ignored = ignored_by(spec)
    return frozenset(n for n in PARAMETERS if ignored.issuperset(PAIRS.get(n, (n,))))


def candidate_of(assignment: Mapping[str, Value]) -> Candidate:
    """The candidate that an assignment of parameters means, without what it would ignore."""
    values: dict[str, Any] = in_parts(assignment)
    for name in ignored_by(values.get("spec", NO_SPEC)):
        values.pop(name, None)
    return Candidate(**values)
