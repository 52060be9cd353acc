"""Ways to search: ours, and Optuna's samplers as they come, all told the same things."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from benchmarks.search.surface import SPACE, Truth, measured
from orchestrator.sweeping.search import Domain, Search
from orchestrator.sweeping.study import Study
from orchestrator.sweeping.suggest import suggest
from orchestrator.sweeping.verdict import Verdict, failed
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments

if TYPE_CHECKING:
    import optuna

Trials = Iterator[tuple[Candidate, Truth]]


def verdict_of(result: Truth) -> Verdict:
    """What a study is told: values, or a violated constraint."""
    return failed(SPACE, "out of memory") if result.point is None else Verdict(result.point)


def ours(seed: int, trials: int) -> Trials:
    """The covering start, multivariate TPE, and no candidate twice."""
    import optuna

    study = Study(optuna.storages.InMemoryStorage(), f"{seed}", SPACE, seed)
    pool = list(assignments(SPACE))
    domain = Domain(SPACE, lambda a: None, lambda c: c.asked_key, pool)
    search, rng = Search(study, domain, trials, f"{seed}"), random.Random(seed)
    search.take_up({})
    for _ in range(trials):
        proposal = search.ask()
        if proposal is None or proposal.number is None:
            return
        result = measured(proposal.candidate, rng)
        search.tell(proposal.number, verdict_of(result))
        yield proposal.candidate, result


def by_sampler(make: Callable[[int], optuna.samplers.BaseSampler]) -> Callable[[int, int], Trials]:
    """A study of Optuna's with this sampler: what it proposes again is measured again."""

    def run(seed: int, trials: int) -> Trials:
        import optuna

        directions = [optuna.study.StudyDirection[way.name] for way in SPACE.objectives.values()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = optuna.create_study(sampler=make(seed), directions=directions)
        rng = random.Random(seed)
        for _ in range(trials):
            trial = study.ask()
            candidate = candidate_of(suggest(SPACE, trial))
            result = measured(candidate, rng)
            verdict = verdict_of(result)
            for name, value in verdict.violations.items():
                trial.set_constraint(name, value)
            study.tell(trial, verdict.values)
            yield candidate, result

    return run


def _qmc(seed: int) -> optuna.samplers.BaseSampler:
    """Conditional parameters are drawn at random, of which it would warn every time."""
    from optuna.samplers import QMCSampler

    return QMCSampler(seed=seed, scramble=True, warn_independent_sampling=False)


def ways() -> dict[str, Callable[[int, int], Trials]]:
    """Every way by its name."""
    import optuna
    from optuna import samplers

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return {
        "ours": ours,
        "random": by_sampler(lambda seed: samplers.RandomSampler(seed=seed)),
        "QMC": by_sampler(_qmc),
        "NSGA-II": by_sampler(lambda seed: samplers.NSGAIISampler(seed=seed, population_size=20)),
        "TPE, default": by_sampler(lambda seed: samplers.TPESampler(seed=seed)),
    }
