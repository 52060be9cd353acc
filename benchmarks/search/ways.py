"""Ways to search: ours, and Optuna's samplers as they come, all told the same things."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from benchmarks.search.scores import Trial
from benchmarks.search.surface import Surface, Truth
from orchestrator.sweeping.search import Domain, Search
from orchestrator.sweeping.study import Study
from orchestrator.sweeping.suggest import suggest
from orchestrator.sweeping.verdict import Verdict, failed
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import assignments

if TYPE_CHECKING:
    import optuna

Way = Callable[[Surface, int, int], Iterator[Trial]]  # of a surface, a seed, a number of trials
_MOST_ASKED = 5  # for each trial, by a sampler that remembers; one that only repeats itself ends


def verdict_of(space: Space, result: Truth) -> Verdict:
    """What a study is told: values, or a violated constraint."""
    return failed(space, "out of memory") if result.point is None else Verdict(result.point)


def ours(surface: Surface, seed: int, trials: int) -> Iterator[Trial]:
    """The covering start, multivariate TPE, and no candidate twice."""
    import optuna

    space, rng = surface.space, random.Random(seed)
    study = Study(optuna.storages.InMemoryStorage(), f"{seed}", space, seed)
    pool = list(assignments(space))
    domain = Domain(space, lambda a: None, lambda c: c.canonical().asked_key, pool)
    search = Search(study, domain, trials, f"{seed}")
    search.take_up({})
    for _ in range(trials):
        proposal = search.ask()
        if proposal is None or proposal.number is None:
            return
        result = surface.measured(proposal.candidate, rng)
        search.tell(proposal.number, verdict_of(space, result))
        yield proposal.candidate, result


def by_sampler(
    make: Callable[[int], optuna.samplers.BaseSampler], *, remembers: bool = False
) -> Way:
    """A study of Optuna's with this sampler: what it proposes again is measured again.

    One that `remembers` is answered from memory instead, which costs no trial.
    """

    def run(surface: Surface, seed: int, trials: int) -> Iterator[Trial]:
        import optuna

        space, rng = surface.space, random.Random(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = optuna.create_study(
                sampler=make(seed),
                directions=[optuna.study.StudyDirection[way.name] for way in surface.ways],
            )
        known: dict[Candidate, Truth] = {}
        for _ in range(trials * (_MOST_ASKED if remembers else 1)):
            trial = study.ask()
            candidate = candidate_of(suggest(space, trial)).canonical()
            replayed = known.get(candidate) if remembers else None
            result = known[candidate] = replayed or surface.measured(candidate, rng)
            verdict = verdict_of(space, result)
            for name, value in verdict.violations.items():
                trial.set_constraint(name, value)
            study.tell(trial, verdict.values)
            if replayed is None:
                yield candidate, result
            if remembers and len(known) == trials:
                return

    return run


def _qmc(seed: int) -> optuna.samplers.BaseSampler:
    """Conditional parameters are drawn at random, of which it would warn every time."""
    from optuna.samplers import QMCSampler

    return QMCSampler(seed=seed, scramble=True, warn_independent_sampling=False)


def ways() -> dict[str, Way]:
    """Every way by its name; ours is the first."""
    import optuna
    from optuna import samplers

    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def tpe(seed: int) -> samplers.TPESampler:
        return samplers.TPESampler(seed=seed)

    return {
        "ours": ours,
        "random": by_sampler(lambda seed: samplers.RandomSampler(seed=seed)),
        "QMC": by_sampler(_qmc),
        "NSGA-II": by_sampler(lambda seed: samplers.NSGAIISampler(seed=seed, population_size=20)),
        "TPE, default": by_sampler(tpe),
        "TPE, repeats from memory": by_sampler(tpe, remembers=True),
    }
