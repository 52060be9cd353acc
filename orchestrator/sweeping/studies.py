"""Opening Optuna studies in the same database as ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from db.database import Database
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


def open_storage(database: Database) -> optuna.storages.BaseStorage:
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
