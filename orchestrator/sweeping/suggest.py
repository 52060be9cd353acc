"""A space's axes in Optuna's words: distributions, suggestions, and fixed parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from search_spaces.axis import Axis
from search_spaces.candidate import Value
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, is_active

if TYPE_CHECKING:
    import optuna

_DECIMALS = 9  # as an axis rounds its fractions


def suggest(space: Space, trial: optuna.trial.Trial) -> Assignment:
    """Has the sampler choose a value for every axis that applies."""
    assignment: Assignment = dict(space.fixed)
    for name, axis in space.parameters.items():
        if is_active(space, name, assignment):
            assignment[name] = _choose(trial, name, axis)
    return assignment


def _choose(trial: optuna.trial.Trial, name: str, axis: Axis) -> Value:
    if axis.values is not None:
        chosen = trial.suggest_categorical(name, axis.values)
        assert chosen is not None, "an axis has no empty value"
        return chosen
    if _is_whole(axis):
        low, high, step = int(axis[0]), int(axis[len(axis) - 1]), int(axis.step or 1)
        return trial.suggest_int(name, low, high, step=step)
    low_f, high_f = float(axis[0]), float(axis[len(axis) - 1])
    return round(trial.suggest_float(name, low_f, high_f, step=axis.step), _DECIMALS)


def parameters_of(space: Space, assignment: Mapping[str, Value]) -> dict[str, Value] | None:
    """The values of the axes; None for an assignment that the axes of the space cannot express.

    A baseline may be such a one: it may fix what the space fixes otherwise, or has no axis for.
    """
    walked: Assignment = dict(space.fixed)
    for name, axis in space.parameters.items():
        if not is_active(space, name, walked):
            continue
        if name not in assignment or assignment[name] not in axis.domain():
            return None
        walked[name] = assignment[name]
    if candidate_of(walked) != candidate_of(assignment):
        return None
    return {name: walked[name] for name in space.parameters if name in walked}


def distribution_of(axis: Axis) -> optuna.distributions.BaseDistribution:
    """What `suggest` draws an axis from."""
    import optuna

    if axis.values is not None:
        return optuna.distributions.CategoricalDistribution(axis.values)
    if _is_whole(axis):
        low, high, step = int(axis[0]), int(axis[len(axis) - 1]), int(axis.step or 1)
        return optuna.distributions.IntDistribution(low, high, step=step)
    return optuna.distributions.FloatDistribution(
        float(axis[0]), float(axis[len(axis) - 1]), step=axis.step
    )


def _is_whole(axis: Axis) -> bool:
    return isinstance(axis[0], int) and isinstance(axis.step or 1, int)
