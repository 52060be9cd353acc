"""Ray Tune with OptunaSearch: one GPU for each trial, whichever card Ray gives it.

As its documentation shows it: two metrics, processes that are used again for the next trial, one
more attempt for a trial whose worker dies (which it really does here). It knows no constraints:
what does not fit reports the worst values. Needs packages that this project does not:
`pip install "ray[tune]"`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from benchmarks.side_by_side.fleet import RIGS, Book, WorkerDiedError
from benchmarks.side_by_side.ours import SPACE
from orchestrator.sweeping.suggest import suggest
from orchestrator.sweeping.verdict import failed
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of

if TYPE_CHECKING:
    import optuna


def missing() -> str | None:
    """Why Ray Tune cannot run here."""
    try:
        import ray.tune  # noqa: F401
    except ImportError as error:
        return str(error)
    return None


def work(config: dict[str, Any], book: Book) -> None:
    """One trial, in a process of its own; Ray says which card is its own."""
    import ray
    from ray import tune

    candidate = candidate_of({**SPACE.fixed, **config})
    try:
        values = book.work(candidate, RIGS[int(ray.get_gpu_ids()[0])])
    except WorkerDiedError:
        os._exit(1)
    told = values or failed(SPACE, "out of memory").values
    tune.report(dict(zip(SPACE.objectives, told, strict=True)))


def propose(trial: optuna.Trial) -> None:
    """The space, as OptunaSearch wants it for conditional parameters."""
    suggest(SPACE, trial)


def run(book: Book, trials: int) -> list[Candidate]:
    """So many trials for each rig there is, in one study; returns what its results call best."""
    import optuna
    import ray
    from ray import tune
    from ray.tune.search.optuna import OptunaSearch

    ray.init(
        address="local",
        num_cpus=len(RIGS),
        num_gpus=len(RIGS),
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
    )
    search = OptunaSearch(
        propose,
        metric=list(SPACE.objectives),
        mode=["max" if way.name == "MAXIMIZE" else "min" for way in SPACE.objectives.values()],
        sampler=optuna.samplers.TPESampler(seed=book.seed),
    )
    tuner = tune.Tuner(
        tune.with_resources(tune.with_parameters(work, book=book), {"cpu": 0, "gpu": 1}),
        tune_config=tune.TuneConfig(
            search_alg=search,
            num_samples=trials * len(RIGS),
            max_concurrent_trials=len(RIGS),
            reuse_actors=True,
        ),
        run_config=tune.RunConfig(
            storage_path=str(book.folder),
            failure_config=tune.FailureConfig(max_failures=1),
            verbose=0,
        ),
    )
    try:
        tuner.fit()
    finally:
        ray.shutdown()
    best = search._ot_study.best_trials
    return [candidate_of({**SPACE.fixed, **trial.params}) for trial in best]
