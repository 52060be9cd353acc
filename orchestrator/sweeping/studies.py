"""Optuna studies in the same database as ours: opening them, and answering their trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from db.database import Database
from orchestrator.sweeping.suggest import distribution_of
from orchestrator.sweeping.verdict import Verdict
from search_spaces.candidate import Value
from search_spaces.space import Space

if TYPE_CHECKING:
    import optuna


def open_study(
    storage: optuna.storages.BaseStorage, name: str, space: Space, seed: int
) -> optuna.Study:
    """The study of one rig, created or taken up again.

    Several objectives, constraints and conditional parameters: multivariate TPE, which in our
    measurements found the same front with fewer repeats than the default, independent one.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(multivariate=True, constant_liar=True, seed=seed)
    return optuna.create_study(
        storage=storage,
        study_name=name,
        sampler=sampler,
        directions=[way.value for way in space.objectives.values()],
        load_if_exists=True,
    )


def open_storage(database: Database) -> optuna.storages.RDBStorage:
    """Optuna's storage in our database, tuned like our own connections on SQLite."""
    import optuna
    from sqlalchemy.engine import make_url

    from db.sqlite import apply_sqlite_pragmas

    sqlite = make_url(database.url).get_backend_name() == "sqlite"
    storage = optuna.storages.RDBStorage(
        database.url,
        engine_kwargs={"connect_args": {"timeout": 30}} if sqlite else {"pool_pre_ping": True},
        skip_table_creation=False,
    )
    if sqlite:
        apply_sqlite_pragmas(storage.engine)
    return storage


@contextmanager
def opened(database: Database) -> Iterator[optuna.storages.RDBStorage]:
    """The storage while it is needed; its connections are closed afterwards."""
    storage = open_storage(database)
    try:
        yield storage
    finally:
        storage.remove_session()
        storage.engine.dispose()


def add_running(
    study: optuna.Study, space: Space, parameters: Mapping[str, Value]
) -> optuna.trial.FrozenTrial:
    """A running trial with given parameters, in one transaction.

    Enqueueing it and asking would leave a waiting trial behind if the driver died in between,
    and a later ask would take that one for its own.
    """
    import optuna

    study.add_trial(
        optuna.create_trial(
            state=optuna.trial.TrialState.RUNNING,
            params=dict(parameters),
            distributions={n: distribution_of(space.parameters[n]) for n in parameters},
        )
    )
    running = (optuna.trial.TrialState.RUNNING,)
    return study.get_trials(deepcopy=False, states=running)[-1]  # numbers only grow


def answer(
    study: optuna.Study,
    trial: optuna.trial.Trial,
    verdict: Verdict,
    told: Mapping[str, float] | None = None,
) -> None:
    """Tells a running trial's values and violations.

    `told` are the violations that a driver told before it died in the middle of this.
    """
    for name, value in verdict.violations.items():
        if name not in (told or {}):
            trial.set_constraint(name, value)
    # optuna-dashboard 0.21 does not read Optuna 5's constraints: mirror them for it.
    if verdict.broken:
        trial.set_user_attr("violations", verdict.broken)
    if verdict.why:
        trial.set_user_attr("why", verdict.why)
    study.tell(trial, verdict.values)
