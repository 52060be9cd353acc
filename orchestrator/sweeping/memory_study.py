"""What the sampler learns from: a copy of the study in memory, thinned where it grows long.

A proposal of TPE costs time in proportion to the trials that it looks at (some 20 ms for each
thousand), which a fleet of hundreds of rigs would wait for. Its model is made of few good trials,
and of the density of all others; for a density a part of them does.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from orchestrator.sweeping.thinning import thinned
from orchestrator.sweeping.verdict import Verdict

if TYPE_CHECKING:
    import optuna

LIMIT = 1_000  # trials that the sampler sees at most; then half of them are left
BEST = 100  # of those, the best are always kept: TPE calls at most 25 of them good


class MemoryStudy:
    """Trials go by a number of their own, which they keep when others are dropped."""

    def __init__(self, directions: Sequence[optuna.study.StudyDirection], seed: int) -> None:
        self._directions = list(directions)
        self._rng = random.Random(seed)
        self._numbers = itertools.count()
        self._open: dict[int, int] = {}  # to Optuna's numbers
        self._study = self._fresh(seed)

    def _fresh(self, seed: int) -> optuna.Study:
        """Several objectives, constraints and conditional parameters: multivariate TPE, which in
        our measurements found the same front with fewer repeats than the independent one."""
        import optuna

        sampler = optuna.samplers.TPESampler(multivariate=True, constant_liar=True, seed=seed)
        return optuna.create_study(sampler=sampler, directions=self._directions)

    def add(self, trials: Sequence[optuna.trial.FrozenTrial]) -> list[int]:
        """Copies trials, and returns the number of each. Of many that have ended, a part does."""
        import optuna

        ended = [t for t in trials if t.state is optuna.trial.TrialState.COMPLETE]
        kept = {t.number for t in (self._some(ended) if len(ended) >= LIMIT else ended)}
        numbers = []
        for trial in trials:
            number = next(self._numbers)
            if trial.state is optuna.trial.TrialState.RUNNING:
                self._open[number] = self.seen
                self._study.add_trial(trial)
            elif trial.number in kept:
                self._study.add_trial(trial)
            numbers.append(number)
        return numbers

    @property
    def running(self) -> int:
        """How many trials the sampler believes to be running."""
        return len(self._open)

    @property
    def seen(self) -> int:
        """How many trials the sampler sees, those that taught nothing included."""
        return len(self._study.get_trials(deepcopy=False))

    def ask(self) -> tuple[int, optuna.Trial]:
        """A new trial whose values the sampler suggests."""
        if self.seen >= LIMIT:
            self._thin()
        trial, number = self._study.ask(), next(self._numbers)
        self._open[number] = trial.number
        return number, trial

    def tell(self, number: int, verdict: Verdict | None) -> None:
        """Ends a trial; None teaches nothing."""
        import optuna

        at = self._open.pop(number)
        if verdict is None:
            self._study.tell(at, state=optuna.trial.TrialState.FAIL)
            return
        frozen = self._study.get_trials(deepcopy=False)[at]
        trial = optuna.trial.Trial(self._study, frozen._trial_id)
        for name, value in verdict.violations.items():
            if name not in frozen.constraints:
                trial.set_constraint(name, value)
        self._study.tell(trial, verdict.values)

    def _thin(self) -> None:
        """Goes on with the open trials, and half of those that have ended."""
        import optuna

        trials = self._study.get_trials(deepcopy=False)
        ended = [t for t in trials if t.state is optuna.trial.TrialState.COMPLETE]
        self._study = self._fresh(self._rng.randrange(2**31))
        self._study.add_trials(self._some(ended))
        for number, at in self._open.items():
            self._open[number] = self.seen
            self._study.add_trial(trials[at])

    def _some(self, trials: Sequence[optuna.trial.FrozenTrial]) -> list[optuna.trial.FrozenTrial]:
        return thinned(trials, self._directions, LIMIT // 2, BEST, self._rng)
