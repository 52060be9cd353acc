"""The study: asks Optuna for candidates, and tells it what came of them.

Samplers propose what was measured already (28 of 160 trials in one test of multivariate TPE).
Such a proposal is answered at once from what is known, or together with the trial it repeats,
and costs no budget. A space no larger than the budget is enumerated, in random order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.sweeping.design import covering
from search_spaces.candidate import Candidate, Value
from search_spaces.metrics import METRICS, Direction
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, is_active, is_forbidden

if TYPE_CHECKING:
    import optuna

STARTUP = 10  # trials of the covering design before TPE's model is used
MAX_REPEATS = 8  # proposals in a row that lead nowhere, before one is drawn from what is left
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate to measure, under Optuna's trial number."""

    number: int
    candidate: Candidate
    assignment: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to tell: values in the order of the objectives, and how far each limit is violated."""

    values: tuple[float, ...]
    violations: Mapping[str, float] = field(default_factory=dict)


class Search:
    """One rig's study. `pool` is every feasible assignment, None when there are too many."""

    def __init__(
        self,
        study: optuna.Study,
        space: Space,
        excluded: Callable[[Assignment], str | None],
        pool: Sequence[Assignment] | None,
        trials: int,
        seed: str,
    ) -> None:
        self._study = study
        self._space = space
        self._excluded = excluded
        self._rng = random.Random(seed)
        self._open: dict[int, optuna.trial.Trial] = {}
        self._numbers: dict[Candidate, int] = {}
        self._told: dict[int, Verdict | None] = {}
        self._echoes: dict[int, list[int]] = {}
        self._pool = list(pool) if pool is not None else None
        self._enumerate = pool is not None and len(pool) <= trials
        count = len(pool) if pool is not None and self._enumerate else min(STARTUP, trials // 2 + 1)
        self._queue = covering(pool or (), list(space.parameters), count, seed)
        self._adopt()

    def _adopt(self) -> None:
        """Takes up the trials of an earlier run."""
        import optuna

        for trial in self._study.get_trials(deepcopy=False):
            if trial.state == optuna.trial.TrialState.FAIL:
                continue
            candidate = candidate_of({**self._space.fixed, **trial.params})
            self._numbers.setdefault(candidate, trial.number)
            if trial.state == optuna.trial.TrialState.COMPLETE:
                self._told[trial.number] = Verdict(tuple(trial.values), dict(trial.constraints))

    @property
    def running(self) -> dict[int, Candidate]:
        """Trials that Optuna believes to be running, by number."""
        import optuna

        state = (optuna.trial.TrialState.RUNNING,)
        found = self._study.get_trials(deepcopy=False, states=state)
        return {t.number: candidate_of({**self._space.fixed, **t.params}) for t in found}

    def ask(self) -> Proposal | None:
        """The next candidate that is new and feasible; None when there is none left."""
        while self._queue:
            proposal = self.ask_for(self._queue.pop(0))
            if proposal is not None:
                return proposal
        if self._enumerate:
            return None
        for _ in range(MAX_REPEATS):
            proposal = self._propose()
            if proposal is not None:
                return proposal
        rest = [a for a in self._pool or () if candidate_of(a) not in self._numbers]
        return self.ask_for(self._rng.choice(rest)) if rest else None

    def ask_for(self, assignment: Assignment) -> Proposal | None:
        """A trial with these parameters; None when that candidate was proposed before."""
        if candidate_of(assignment) in self._numbers:
            return None
        axes = {name: assignment[name] for name in self._space.parameters if name in assignment}
        self._study.enqueue_trial(axes)
        return self._propose()

    def _propose(self) -> Proposal | None:
        trial = self._study.ask()
        self._open[trial.number] = trial
        assignment = self._suggest(trial)
        candidate = candidate_of(assignment)
        original = self._numbers.get(candidate)
        if original is not None:
            self._echo(trial.number, original)
            return None
        self._numbers[candidate] = trial.number
        reason = is_forbidden(self._space, assignment) or self._excluded(assignment)
        if reason:
            self.tell(trial.number, None)
            return None
        return Proposal(trial.number, candidate, assignment)

    def _suggest(self, trial: optuna.trial.Trial) -> Assignment:
        assignment: Assignment = dict(self._space.fixed)
        for name, axis in self._space.parameters.items():
            if not is_active(self._space, name, assignment):
                continue
            if axis.values is not None:
                chosen = trial.suggest_categorical(name, axis.values)
                assert chosen is not None, "an axis has no empty value"
                assignment[name] = chosen
            elif isinstance(axis[0], int) and isinstance(axis.step or 1, int):
                low, high, step = int(axis[0]), int(axis[len(axis) - 1]), int(axis.step or 1)
                assignment[name] = trial.suggest_int(name, low, high, step=step)
            else:
                low_f, high_f = float(axis[0]), float(axis[len(axis) - 1])
                value = trial.suggest_float(name, low_f, high_f, step=axis.step)
                assignment[name] = round(value, 9)
        return assignment

    def _echo(self, number: int, original: int) -> None:
        if original in self._told:
            self._finish(number, self._told[original])
        else:
            self._echoes.setdefault(original, []).append(number)

    def tell(self, number: int, verdict: Verdict | None) -> None:
        """Reports a trial; None means that it failed for reasons that lie in its parameters.

        Such a failure is told as a violated constraint with the worst values, which keeps the
        sampler away from it; Optuna's own FAIL state would be ignored by TPE.
        """
        self._finish(number, verdict)
        self._told[number] = verdict
        for echo in self._echoes.pop(number, []):
            self._finish(echo, verdict)

    def forget(self, number: int) -> None:
        """The machinery failed, not the candidate: teach nothing, and allow it again."""
        import optuna

        self._study.tell(number, state=optuna.trial.TrialState.FAIL, skip_if_finished=True)
        self._open.pop(number, None)
        self._numbers = {c: n for c, n in self._numbers.items() if n != number}
        for echo in self._echoes.pop(number, []):
            self.forget(echo)

    def _finish(self, number: int, verdict: Verdict | None) -> None:
        trial = self._open.pop(number, None) or self._reopen(number)
        violations = (
            dict(verdict.violations) if verdict else dict.fromkeys(self._space.constraints, 1.0)
        )
        violations[FAILED] = 0.0 if verdict else 1.0
        for name, value in violations.items():
            trial.set_constraint(name, value)
        # optuna-dashboard 0.21 does not read Optuna 5's constraints: mirror them for it.
        trial.set_user_attr("violations", {k: v for k, v in violations.items() if v > 0})
        values = verdict.values if verdict else worst_values(self._space)
        self._study.tell(trial, values, skip_if_finished=True)

    def _reopen(self, number: int) -> optuna.trial.Trial:
        import optuna

        frozen: Any = self._study.get_trials(deepcopy=False)[number]
        return optuna.trial.Trial(self._study, frozen._trial_id)


def worst_values(space: Space) -> tuple[float, ...]:
    """What a failed trial is told to have reached, in the order of the objectives."""
    return tuple(
        METRICS[name].worst if name in METRICS else (0.0 if way is Direction.MAXIMIZE else 1e12)
        for name, way in space.objectives.items()
    )
