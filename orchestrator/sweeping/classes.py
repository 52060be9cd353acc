"""Rig classes: equal rigs search together, as if they were one that does several things at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from orchestrator.sweeping.plan import Plan, RigPlan
from workers.contract.reports import RigReport

_TOLD_APART_BY = ("name", "memory_mib")  # facts that a limit may read and equal rigs may differ in
_SHOWN = 4  # names before "and 60 more"


@dataclass(frozen=True)
class RigClass:
    """Rigs whose speeds can stand for one another, and for which the same candidates are feasible.

    They have one study, one budget, one set of baselines and one front. `plan` is the first one's;
    trials, study and front go by its name.
    """

    plan: RigPlan
    rigs: tuple[RigReport, ...]

    @property
    def name(self) -> str:
        """The first rig's name."""
        return self.plan.rig.name

    @property
    def names(self) -> list[str]:
        """Of every rig."""
        return [rig.name for rig in self.rigs]

    @property
    def sentence(self) -> str | None:
        """What a person who named the rigs must know; None for a rig without twins."""
        if len(self.rigs) == 1:
            return None
        twins = listed(self.names[1:])
        return (
            f"{self.name} has equals: {twins}. They share one search and its budget; each takes "
            f"the next trial when it is free, and all results stand under {self.name}."
        )


def classes_of(plan: Plan) -> tuple[RigClass, ...]:
    """The plan's rigs by class; the first of each is the same, however they are ordered."""
    classes: dict[tuple[object, ...], list[list[RigPlan]]] = defaultdict(list)
    for rig in plan.rigs:
        alike = classes[_kind(plan, rig.rig)]
        same = next((one for one in alike if _able_to(one[0]) == _able_to(rig)), None)
        if same is None:
            alike.append([rig])
        else:
            same.append(rig)
    named = (sorted(one, key=lambda rig: rig.rig.name) for one in chain(*classes.values()))
    return tuple(RigClass(one[0], tuple(rig.rig for rig in one)) for one in named)


def _able_to(rig: RigPlan) -> tuple[object, ...]:
    """The same candidates, which on another host with other files would be other launches."""
    host = rig.host
    builds = [(engine.name, [build.sha256 for build in engine.builds]) for engine in host.engines]
    files = [(model.reference, model.sha256) for model in host.models]
    return rig.feasible, rig.baselines, rig.truncated, builds, files, host.contents


def _kind(plan: Plan, rig: RigReport) -> tuple[object, ...]:
    """What must be equal; beyond hardware only what the space's limits read of a rig."""
    limits = " ".join((*plan.space.constraints, *plan.space.forbid))
    read = tuple(getattr(rig, fact) for fact in _TOLD_APART_BY if fact in limits)
    return rig.hardware_key, rig.vram_mib, rig.split_mode, rig.tensor_split, read


def listed(names: Sequence[str]) -> str:
    """A few names: a, b and 60 more."""
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[: _SHOWN - 1])} and {len(names) - _SHOWN + 1} more"
