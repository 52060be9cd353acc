"""Candidates and numbers in words: the same ones on the terminal, on pages and in exports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from search_spaces.candidate import Candidate
from search_spaces.metrics import METRICS
from search_spaces.variants import name_of
from workers.contract.outcome import Estimate

# In the order in which people name them. Pairs stand for their two halves.
_PARTS: dict[str, str] = {
    "engine": "engine {}",
    "model": "{}",
    "kv": "K/V {}",
    "ctx": "ctx {:,}",
    "spec": "{}",
    "drafter": "drafter {}",
    "n_max": "n_max {}",
    "n_min": "n_min {}",
    "p_min": "p_min {:g}",
    "draft_kv": "draft K/V {}",
    "draft_device": "drafter on {}",
    "controller": "controller {}",
    "batch": "-b {}",
    "ubatch": "-ub {}",
    "ngl": "ngl {}",
    "split_mode": "split {}",
    "tensor_split": "tensor split {}",
    "n_cpu_moe": "{} expert layers on the CPU",
    "override_tensor": "-ot {}",
    "load_mode": "load {}",
    "threads": "{} threads",
    "flags": "{}",
}
_ALWAYS = ("model", "kv", "spec", "n_max")


@lru_cache(maxsize=1024)
def short_name(reference: str) -> str:
    """A model or drafter reference without its place and ending."""
    name = reference.replace("\\", "/").rsplit("/", 1)[-1].removeprefix("builtin:")
    return name.removesuffix(".gguf")


def _value(candidate: Candidate, part: str) -> object:
    """What a part says of a candidate; None where that is not set."""
    if part == "spec":
        return candidate.spec if candidate.drafts else "no speculation"
    if part == "draft_kv":
        k, v = candidate.draft_kv_k, candidate.draft_kv_v
        return f"{k or 'f16'}/{v or 'f16'}" if k or v else None
    if part == "flags" and candidate.flags is not None:
        return name_of(candidate.flags)
    found: object = getattr(candidate, part)
    return short_name(str(found)) if part in ("model", "drafter") and found is not None else found


@dataclass(frozen=True, slots=True)
class Namer:
    """Names candidates by what differs among them; what all share goes without saying.

    `family` is what all model names begin with: "smollm2-135m-" of "smollm2-135m-Q4_1".
    """

    parts: tuple[str, ...]
    family: str = ""

    @classmethod
    def of(cls, candidates: Iterable[Candidate]) -> Namer:
        """A namer for these candidates: the settings that vary, in their usual order."""
        candidates = tuple(candidates)
        varying = {p for p in _PARTS if len({_value(c, p) for c in candidates}) > 1}
        if "spec" in varying:  # a drafter that comes and goes with speculation says nothing new
            drafters = {candidate.drafter for candidate in candidates} - {None}
            varying -= {"drafter"} if len(drafters) == 1 else set()
        family = _shared_start(map(short_name, {candidate.model for candidate in candidates}))
        return cls(tuple(p for p in _PARTS if p in varying) or _ALWAYS, family)

    def model(self, candidate: Candidate) -> str:
        """The model without what all models share."""
        return short_name(candidate.model).removeprefix(self.family)

    def name(self, candidate: Candidate) -> str:
        """For example "Q4_1 · K/V q8_0/q8_0 · draft-dflash · n_max 3"."""
        return _joined(candidate, self.parts, self.family)


def describe(candidate: Candidate) -> str:
    """Everything that is set, in words."""
    return _joined(candidate, tuple(_PARTS))


def _shared_start(names: Iterable[str]) -> str:
    """What several names begin with, up to a separator; nothing for a single name."""
    different = set(names)
    if len(different) < 2:
        return ""
    first, last = min(different), max(different)  # the two that differ earliest
    length = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
    return first[: max(first.rfind(mark, 0, length) for mark in "-_. ") + 1]


def _joined(candidate: Candidate, parts: Iterable[str], family: str = "") -> str:
    said = ((part, _value(candidate, part)) for part in parts)
    return " · ".join(
        _PARTS[part].format(str(value).removeprefix(family) if part == "model" else value)
        for part, value in said
        if value is not None
    )


_DIGITS = {"ppl": 4, "kld_mean": 5, "kld_p999": 4, "acceptance": 3, "speedup": 2}


def number(metric: str, value: float, signed: bool = False) -> str:
    """A value with as many digits as people compare: 46.3 tok/s, 23.1846, +0.13 %."""
    digits = _DIGITS.get(metric)
    if metric == "ppl_delta_pct":
        digits, signed = 2, True
    if digits is None:
        digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    if round(value, digits) == 0:
        value, signed = 0.0, False  # neither -0.00 nor +0.00
    text = f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def unit(metric: str) -> str:
    """The unit as written behind a number."""
    name = METRICS[metric].unit if metric in METRICS else "tokens"
    return {"x": "×", "share": "", "ppl": ""}.get(name, name)


def quantity(estimate: Estimate, interval: bool = True) -> str:
    """A number with unit and interval: "46.3 tok/s (45.9 to 46.8)"."""
    metric = estimate.metric
    mark = unit(metric)
    text = number(metric, estimate.value) + ("" if mark in ("", "×") else " ") + mark
    if interval and estimate.low is not None and estimate.high is not None:
        text += f" ({number(metric, estimate.low)} to {number(metric, estimate.high)})"
    return text
