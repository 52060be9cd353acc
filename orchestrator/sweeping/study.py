"""Optuna's study of one rig: a sampler that works in memory, and its trials in the database.

Asking a stored study writes once for the trial and once for every parameter, and again for each
proposal that turns out to repeat another: some 20 transactions for one candidate, and as many
moments at which a killed driver leaves half a trial behind. So the sampler draws from a copy in
memory, and a trial is stored whole, in one transaction, once it is worth measuring.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.sweeping.memory_study import MemoryStudy
from orchestrator.sweeping.patience import IMPATIENT, Patience
from orchestrator.sweeping.suggest import distribution_of, suggest
from orchestrator.sweeping.verdict import Verdict
from search_spaces.candidate import Value
from search_spaces.space import Space
from search_spaces.walk import Assignment

if TYPE_CHECKING:
    import optuna


class Study:
    """Stored trials go by their number, drawn ones by their number in memory."""

    def __init__(
        self,
        storage: optuna.storages.BaseStorage,
        name: str,
        space: Space,
        seed: int,
        patience: Patience = IMPATIENT,
    ) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        directions = [optuna.study.StudyDirection[way.name] for way in space.objectives.values()]
        self._space = space
        self._storage = storage
        self._patience = patience
        self._stored = optuna.create_study(
            storage=storage, study_name=name, directions=directions, load_if_exists=True
        )
        if self._stored.metric_names is None:
            with warnings.catch_warnings():  # the names are for dashboards, and experimental
                warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
                self._stored.set_metric_names(list(space.objectives))
        self._id = storage.get_study_id_from_name(name)
        self._memory = MemoryStudy(directions, seed)
        self._ids: dict[int, int] = {}
        self._copies: dict[int, int] = {}

    def load(self) -> list[optuna.trial.FrozenTrial]:
        """Takes up every stored trial, and returns it; those that failed teach nothing."""
        import optuna

        found = self._stored.get_trials(deepcopy=False)
        self._ids.update((trial.number, trial._trial_id) for trial in found)
        taught = [trial for trial in found if trial.state is not optuna.trial.TrialState.FAIL]
        copies = zip(taught, self._memory.add(taught), strict=True)
        self._copies.update((trial.number, copy) for trial, copy in copies)
        return found

    def draw(self) -> tuple[int, Assignment]:
        """What the sampler wants next, in memory only: `begin` it, or `settle` it."""
        drawn, trial = self._memory.ask()
        return drawn, suggest(self._space, trial)

    def settle(self, drawn: int, verdict: Verdict | None) -> None:
        """Tells the sampler what is known of a drawn candidate; None teaches nothing."""
        self._memory.tell(drawn, verdict)

    def begin(self, parameters: Mapping[str, Value], drawn: int | None = None) -> int:
        """Stores a running trial with these parameters; returns its number."""
        import optuna

        trial = optuna.create_trial(
            state=optuna.trial.TrialState.RUNNING,
            params=dict(parameters),
            distributions={n: distribution_of(self._space.parameters[n]) for n in parameters},
        )
        number = self._patience(lambda: self._store(trial))
        self._copies[number] = self._memory.add([trial])[0] if drawn is None else drawn
        return number

    def _store(self, trial: optuna.trial.FrozenTrial) -> int:
        """Stores the trial, and ends what attempts stored whose answer was lost.

        Optuna repeats this step by itself too. Numbers are given in turn, so a gap tells.
        """
        trial_id = self._storage.create_new_trial(self._id, template_trial=trial)
        number = self._storage.get_trial_number_from_id(trial_id)
        for lost in range(next(reversed(self._ids), -1) + 1, number):
            lost_id = self._storage.get_trial_id_from_study_id_trial_number(self._id, lost)
            self._end_without_values(lost_id)
            self._ids[lost] = lost_id
        self._ids[number] = trial_id
        return number

    def answer(self, number: int, verdict: Verdict) -> None:
        """Tells a running trial's values and violations."""
        self._patience(lambda: self._answer(self._ids[number], verdict))
        self.settle(self._copies[number], verdict)

    def _answer(self, trial_id: int, verdict: Verdict) -> None:
        """What was told before a driver died, or a connection broke, stays: it was the same."""
        import optuna

        stored = self._storage.get_trial(trial_id)
        if stored.state.is_finished():
            return
        if verdict.violations:
            trial = optuna.trial.Trial(self._stored, trial_id)
            told = stored.constraints
            for name, value in verdict.violations.items():
                if name not in told:
                    trial.set_constraint(name, value)
        # optuna-dashboard 0.21 does not read Optuna 5's constraints: mirror them for it.
        if verdict.broken:
            self._storage.set_trial_user_attr(trial_id, "violations", verdict.broken)
        if verdict.why:
            self._storage.set_trial_user_attr(trial_id, "why", verdict.why)
        complete = optuna.trial.TrialState.COMPLETE
        self._storage.set_trial_state_values(trial_id, complete, verdict.values)

    def forget(self, number: int) -> None:
        """Ends a running trial of which nothing is learnt; one that has ended stays as it is."""
        if self._patience(lambda: self._end_without_values(self._ids[number])):
            self.settle(self._copies[number], None)

    def _end_without_values(self, trial_id: int) -> bool:
        """False for one that had ended."""
        import optuna

        if self._storage.get_trial(trial_id).state.is_finished():
            return False
        self._storage.set_trial_state_values(trial_id, optuna.trial.TrialState.FAIL)
        return True
