"""What must hold of every sweep that came to its end, however often it was killed on the way."""

from __future__ import annotations

from collections import Counter

import pytest
from optuna.trial import FrozenTrial, TrialState

from db.database import open_database
from db.rows import TrialRow
from db.states import JobState, SweepState, TrialRole
from db.states import TrialState as Row
from orchestrator.analysis.collect import collect
from orchestrator.sweeping.verdict import FAILED
from tests.orchestrator.sweeping.laboratory import Bench, Left


def assert_finished(bench: Bench) -> Left:
    """Everything at once; returns what was read, for more to be asked of it."""
    left = bench.left()
    assert left.sweep.state is SweepState.FINISHED
    assert_nothing_is_open(left)
    assert_nothing_was_measured_twice(left)
    assert_study_knows_the_records(left)
    assert_told_values_are_reported_values(bench, left)
    return left


def assert_nothing_is_open(left: Left) -> None:
    """Every job and trial ended, here and in the study."""
    assert [job.id for job in left.jobs if job.state is JobState.RUNNING] == []
    assert [trial for trial in left.trials if trial.state is Row.WAITING] == []
    for trials in left.studies.values():
        assert [trial.number for trial in trials if not trial.state.is_finished()] == []


def assert_nothing_was_measured_twice(left: Left) -> None:
    """One delivery for each memo key, one result for each launch of a rig."""
    assert_once(left.deliveries)
    for rig in left.studies:
        results = [
            trial.effective_key or trial.resolved_key
            for trial in left.of(rig)
            if trial.state is Row.COMPLETE and trial.role is TrialRole.SEARCH
        ]
        assert_once(results)
        trials = [t for t in left.of(rig) if t.role is not TrialRole.ANCHOR]
        assert_once([t.asked_key for t in trials if not is_forgotten(left, t)])


def assert_once(keys: list[str] | tuple[str, ...] | list[str | None]) -> None:
    """No key stands twice."""
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def assert_study_knows_the_records(left: Left) -> None:
    """Every recorded result is told, and nothing else is told as one."""
    for trial in left.trials:
        if trial.number is None:
            continue
        assert trial.told
        told = left.study_trial(trial)
        if trial.state is not Row.FAILED:
            assert told.state is TrialState.COMPLETE
            assert FAILED not in told.constraints
        elif told.state is TrialState.COMPLETE:
            assert told.constraints[FAILED] == 1.0
        else:
            assert told.state is TrialState.FAIL
    for rig, trials in left.studies.items():
        answered = {trial.number for trial in trials if trial.state is TrialState.COMPLETE}
        assert answered <= {trial.number for trial in left.of(rig)}
        for number in answered:
            told = trials[number]
            assert told.user_attrs.get("violations", {}) == broken(told)


def broken(trial: FrozenTrial) -> dict[str, float]:
    """The constraints that Optuna believes to be violated."""
    return {name: value for name, value in trial.constraints.items() if value > 0}


def assert_told_values_are_reported_values(bench: Bench, left: Left) -> None:
    """What the sampler learnt is what a report says, derived metrics included."""
    with open_database(str(bench.path), read_only=True) as database:
        records = {record.trial_id: record for record in collect(database, left.sweep)}
    for trial in left.trials:
        if trial.number is None or trial.state is not Row.COMPLETE:
            continue
        told = left.study_trial(trial)
        for name, value in zip(bench.space.objectives, told.values, strict=True):
            reported = records[trial.id].value(name)
            if reported is None:
                assert told.constraints[f"{name} is measured"] == 1.0
            else:
                assert value == pytest.approx(reported, rel=1e-9)


def is_forgotten(left: Left, trial: TrialRow) -> bool:
    """Whether the machinery failed this trial, so that its candidate may come again."""
    told = trial.number is not None and left.study_trial(trial).state is TrialState.FAIL
    return trial.state is Row.FAILED and told
