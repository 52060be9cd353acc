"""A search over a storage in memory, as the driver's desk has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import optuna

from orchestrator.sweeping.search import Domain, Proposal, Search
from orchestrator.sweeping.study import Study
from orchestrator.sweeping.verdict import Verdict
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, assignments, is_forbidden


class Desk:
    """A search over a storage in memory; `again` is the next process."""

    def __init__(
        self,
        space: Space,
        trials: int = 40,
        *,
        excluded: Callable[[Candidate], bool] = lambda candidate: False,
        identity: Callable[[Candidate], str] = lambda candidate: candidate.asked_key,
        listed: bool = True,
        storage: optuna.storages.InMemoryStorage | None = None,
        recorded: dict[int, Candidate] | None = None,
    ) -> None:
        self.how: dict[str, Any] = {"excluded": excluded, "identity": identity, "listed": listed}
        self.space, self.trials = space, trials
        self.storage = storage or optuna.storages.InMemoryStorage()

        def why(assignment: Assignment) -> str | None:
            return "out" if excluded(candidate_of(assignment)) else is_forbidden(space, assignment)

        pool = [a for a in assignments(space) if not why(a)] if listed else None
        self.study = Study(self.storage, "study", space, seed=1)
        self.search = Search(self.study, Domain(space, why, identity, pool), trials, "seed")
        self.search.take_up(recorded or {})

    def again(self, recorded: dict[int, Candidate], trials: int | None = None) -> Desk:
        """What another process makes of the same storage."""
        return Desk(
            self.space,
            trials or self.trials,
            storage=self.storage,
            recorded=recorded,
            **self.how,
        )

    def stored(self) -> list[optuna.trial.FrozenTrial]:
        """Every trial that the storage holds."""
        return optuna.load_study(study_name="study", storage=self.storage).trials

    def drawn_and_open(self) -> int:
        """How many trials the sampler, in memory, believes to be running."""
        return self.study._memory.running

    def drain(self, most: int = 200) -> list[Proposal]:
        """Asks until there is nothing left, and tells each one at once."""
        asked: list[Proposal] = []
        while len(asked) < most and (proposal := self.search.ask()) is not None:
            asked.append(proposal)
            self.search.tell(number_of(proposal), verdict_on(proposal.candidate))
        return asked


def number_of(proposal: Proposal | None) -> int:
    """Its number in the study."""
    assert proposal is not None
    assert proposal.number is not None
    return proposal.number


def verdict_on(candidate: Candidate) -> Verdict:
    """Something to tell: longer drafts are faster."""
    return Verdict((10.0 + (candidate.n_max or 0), 10.0))
