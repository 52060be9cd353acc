"""Plain Optuna: one study on an SQLite file, `n_jobs` threads that take whichever rig is free.

As its documentation shows it: TPE, two objectives, a failure told as a violated constraint. A
thread cannot be killed alone, so a worker that dies is an exception here, which is caught; in
earnest it would end the process, and every trial in flight with it.
"""

from __future__ import annotations

import queue

from benchmarks.side_by_side.fleet import RIGS, Book, WorkerDiedError
from benchmarks.side_by_side.ours import SPACE
from orchestrator.sweeping.suggest import suggest
from orchestrator.sweeping.verdict import failed
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of


def run(book: Book, trials: int) -> list[Candidate]:
    """So many trials for each rig there is, in one study; returns what the study calls best."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    free: queue.SimpleQueue[str] = queue.SimpleQueue()
    for rig in RIGS:
        free.put(rig)

    def objective(trial: optuna.Trial) -> tuple[float, ...]:
        candidate = candidate_of(suggest(SPACE, trial))
        trial.set_user_attr("candidate", candidate.as_dict())
        rig = free.get()
        try:
            values = book.work(candidate, rig)
        finally:
            free.put(rig)
        trial.set_constraint("memory", -1.0 if values else 1.0)
        return values or failed(SPACE, "out of memory").values

    study = optuna.create_study(
        storage=f"sqlite:///{book.folder / 'optuna.db'}",
        sampler=optuna.samplers.TPESampler(seed=book.seed),
        directions=[optuna.study.StudyDirection[way.name] for way in SPACE.objectives.values()],
    )
    study.optimize(objective, trials * len(RIGS), n_jobs=len(RIGS), catch=(WorkerDiedError,))
    return [Candidate.from_dict(trial.user_attrs["candidate"]) for trial in study.best_trials]
