"""Whether a launch meets the conditions of a bug: yes, no, or not to be told.

Each condition of `Where` has one function here; None means that a fact is missing (a header that
could not be read, kernels that a build does not list).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from search_spaces.candidate import Candidate
from workers.contract.model_header import ModelHeader
from workers.gates.spec_kinds import kinds_of
from workers.known_bugs.bug import Where
from workers.known_bugs.case import Case

Answer = bool | None
Test = Callable[[Case], Answer]

_WHOLE = frozenset({"f32", "f16", "bf16"})  # KV types that are not quantised


def tests_of(where: Where) -> tuple[Test, ...]:
    """The conditions that are given, each as a question to a case."""
    return tuple(
        partial(condition, asked)
        for name, condition in _CONDITIONS.items()
        if (asked := getattr(where, name)) not in (None, ())
    )


def every(answers: Iterable[Answer]) -> Answer:
    """And, over answers that may be missing: one "no" is no, else one gap leaves it open."""
    open_ = False
    for answer in answers:
        if answer is False:
            return False
        open_ = open_ or answer is None
    return None if open_ else True


def _spec(kinds: tuple[str, ...], case: Case) -> Answer:
    return not set(kinds).isdisjoint(kinds_of(case.candidate.spec))


def _p_min(asked: str, case: Case) -> Answer:
    return bool(case.candidate.p_min) == (asked == "set")


def _kv(types: tuple[str, ...], case: Case) -> Answer:
    return case.candidate.kv_k in types or case.candidate.kv_v in types


def _kv_pair(asked: str, case: Case) -> Answer:
    pair = {case.candidate.kv_k, case.candidate.kv_v}
    return len(pair) == 2 if asked == "mixed" else bool(pair - _WHOLE)


def _kv_except(pairs: tuple[str, ...], case: Case) -> Answer:
    return case.candidate.kv not in pairs


def _kernel(asked: str, case: Case) -> Answer:
    able = case.engine.capabilities
    if able is None or able.fa_pairs is None:
        return None
    names = {case.candidate.kv, case.candidate.kv.replace("/", "-")}
    return "all" not in able.fa_pairs and names.isdisjoint(able.fa_pairs)


def _draft_kv(asked: str, case: Case) -> Answer:
    asked_for = case.candidate
    types = {asked_for.draft_kv_k or "f16", asked_for.draft_kv_v or "f16"}
    return _has_drafter(asked_for) and bool(types - _WHOLE)


def _draft_device(asked: str, case: Case) -> Answer:
    return _has_drafter(case.candidate) and case.candidate.draft_device is not None


def _split_mode(modes: tuple[str, ...], case: Case) -> Answer:
    return case.candidate.split_mode in modes


def _architectures(names: tuple[str, ...], case: Case) -> Answer:
    return None if case.target is None else case.target.architecture in names


def _memory(kinds: tuple[str, ...], case: Case) -> Answer:
    target = case.target
    if target is None:
        return None
    kept: Mapping[str, Callable[[ModelHeader], bool]] = {
        "recurrent": lambda header: bool(header.layers.recurrent),
        "sliding_window": lambda header: bool(header.layers.swa),
    }
    return any(kept[kind](target) for kind in kinds)


def _dflash2(asked: bool, case: Case) -> Answer:
    if not _has_drafter(case.candidate):
        return False
    return None if case.drafter is None else case.drafter.is_dflash2


def _rig(kind: str, case: Case) -> Answer:
    return case.rig.kind == kind


def _cards(least: int, case: Case) -> Answer:
    return len(case.rig.cards) >= least


def _has_drafter(candidate: Candidate) -> bool:
    return candidate.needs_drafter and candidate.drafter is not None


# The cheap ones, and those that most launches fail, come first.
_CONDITIONS: Mapping[str, Callable[[Any, Case], Answer]] = {
    "rig": _rig,
    "spec": _spec,
    "split_mode": _split_mode,
    "cards": _cards,
    "kv": _kv,
    "kv_pair": _kv_pair,
    "kv_except": _kv_except,
    "draft_kv": _draft_kv,
    "draft_device": _draft_device,
    "p_min": _p_min,
    "dflash2": _dflash2,
    "architectures": _architectures,
    "memory": _memory,
    "kernel": _kernel,
}
