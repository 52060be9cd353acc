"""The search: asks a study for candidates, and tells it what came of them.

Samplers propose what was measured already (28 of 160 trials in one test of multivariate TPE).
Such a proposal is answered at once from what is known, or together with the trial it repeats
(once: what is repeated more often teaches nothing); it is not stored, and costs no budget.
A space no larger than the budget is enumerated, in random order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.sweeping.design import covering, random_assignment, whole
from orchestrator.sweeping.study import Study
from orchestrator.sweeping.suggest import parameters_of
from orchestrator.sweeping.verdict import Verdict, failed
from search_spaces.candidate import Candidate, Value
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment
from workers.contract.errors import OrchestrateError

STARTUP = 10  # trials of the covering design before TPE's model is used
MAX_REPEATS = 8  # proposals in a row that lead nowhere, before one is drawn from what is left
MAX_DRAWS = 2_000  # draws in a row that lead nowhere, before a large space counts as exhausted


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate to measure, under Optuna's trial number (None: the study has no such trial)."""

    number: int | None
    candidate: Candidate
    assignment: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Domain:
    """What may be proposed on one rig.

    `excluded` says why an assignment may not; candidates with one `identity` are one launch.
    `pool` is every feasible assignment, None when there are too many to list.
    """

    space: Space
    excluded: Callable[[Assignment], str | None]
    identity: Callable[[Candidate], str]
    pool: Sequence[Assignment] | None


class Search:
    """One rig's study. Call `take_up` before anything else."""

    def __init__(self, study: Study, domain: Domain, trials: int, seed: str) -> None:
        self._study = study
        self._domain = domain
        self._space = domain.space
        self._rng = random.Random(seed)
        self._numbers: dict[str, int] = {}  # by identity
        self._answers: dict[int, Verdict | None] = {}  # None: forgotten
        self._echoes: dict[int, list[int]] = {}
        self._repeated: set[str] = set()
        self._rest: dict[str, Assignment] | None = None  # of the pool; made when first needed
        pool, axes = domain.pool, list(self._space.parameters)
        self._enumerate = pool is not None and len(pool) <= trials
        startup = min(STARTUP, trials // 2 + 1)
        order = whole if self._enumerate else covering
        queue = order(pool or (), axes, startup, seed)
        # A cover takes what says most first, drafts before none: its order follows an axis.
        first = queue[:startup]
        self._rng.shuffle(first)
        self._queue = first + queue[startup:]

    def take_up(self, recorded: Mapping[int, Candidate]) -> None:
        """Goes on from what the study holds. `recorded` are the trials that our records know.

        A running trial that they do not know was begun just before its driver was killed:
        nothing of it was measured, and it is forgotten. Raises OrchestrateError for a recorded
        trial that the study does not have.
        """
        import optuna

        stored = self._study.load()
        lacking = sorted(recorded.keys() - {trial.number for trial in stored})
        if lacking:
            raise OrchestrateError(
                f"The study lacks trial {lacking[0]} and {len(lacking) - 1} more of those that are "
                "recorded: it was deleted or exchanged.",
                "Use a copy of the database from before, or name a new one.",
            )
        for trial in stored:
            if trial.state is optuna.trial.TrialState.COMPLETE:
                self._answers[trial.number] = Verdict(tuple(trial.values), dict(trial.constraints))
            elif trial.state is optuna.trial.TrialState.FAIL:
                continue
            elif trial.number not in recorded:
                self._study.forget(trial.number)
                continue
            candidate = candidate_of({**self._space.fixed, **trial.params})
            self._numbers.setdefault(self._domain.identity(candidate), trial.number)

    def begin_with(self, assignments: Sequence[Assignment], most: int) -> int:
        """Asks for these before others, at most so many of them; returns how many are new."""
        new = [a for a in assignments if self._identity(a) not in self._numbers][:most]
        self._queue = [*new, *self._queue]
        return len(new)

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
        return self._draw()

    def ask_for(self, assignment: Assignment, drawn: int | None = None) -> Proposal | None:
        """A trial with these parameters.

        None when that launch was proposed before, is excluded, or cannot be expressed by the
        axes of the space.
        """
        candidate = candidate_of(assignment)
        identity = self._domain.identity(candidate)
        parameters = parameters_of(self._space, assignment)
        if identity in self._numbers or parameters is None or self._domain.excluded(assignment):
            return None
        number = self._study.begin(parameters, drawn)
        self._numbers[identity] = number
        return Proposal(number, candidate, assignment)

    def _propose(self) -> Proposal | None:
        """What the sampler wants next, unless that is known or excluded: then it is told so."""
        drawn, assignment = self._study.draw()
        identity = self._identity(assignment)
        original = self._numbers.get(identity)
        reason = self._domain.excluded(assignment) if original is None else None
        if original is None and not reason:
            return self.ask_for(assignment, drawn)
        if identity in self._repeated:  # telling the same again and again slows the sampler down
            self._study.settle(drawn, None)
            return None
        self._repeated.add(identity)
        if original is None:
            self._study.settle(drawn, failed(self._space, reason or ""))
        elif original in self._answers:
            self._study.settle(drawn, self._answers[original])
        else:
            self._echoes.setdefault(original, []).append(drawn)
        return None

    def _draw(self) -> Proposal | None:
        """Any candidate that was never proposed."""
        if self._domain.pool is not None:
            if self._rest is None:
                self._rest = {self._identity(a): a for a in self._domain.pool}
            self._rest = {i: a for i, a in self._rest.items() if i not in self._numbers}
            return self.ask_for(self._rng.choice([*self._rest.values()])) if self._rest else None
        draws = (random_assignment(self._space, self._rng) for _ in range(MAX_DRAWS))
        return next((p for p in map(self.ask_for, draws) if p is not None), None)

    def _identity(self, assignment: Assignment) -> str:
        return self._domain.identity(candidate_of(assignment))

    def tell(self, number: int, verdict: Verdict) -> None:
        """Reports a trial, and those that repeat it. One that was told already stays as it is."""
        if number not in self._answers:
            self._study.answer(number, verdict)
            self._end(number, verdict)

    def forget(self, number: int) -> None:
        """The machinery failed, not the candidate: teaches nothing.

        It is not proposed again by this driver, which has just seen it fail; a later run may.
        """
        if number not in self._answers:
            self._study.forget(number)
            self._end(number, None)

    def _end(self, number: int, verdict: Verdict | None) -> None:
        self._answers[number] = verdict
        for echo in self._echoes.pop(number, []):
            self._study.settle(echo, verdict)
