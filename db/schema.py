"""The schema's version: create, migrate, or say why not. Alembic is imported only to migrate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from db.address import Address
from db.errors import DatabaseError
from db.sqlite import WRITES
from db.tables.all import METADATA, is_optunas

VERSION_TABLE = "orchestrate_version"
REVISIONS = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
)  # oldest first; the last one is this version's schema
HEAD = REVISIONS[-1]
MIGRATE_COMMAND = "orchestrate db upgrade"

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_231_408_115  # any fixed number: PostgreSQL's name for our migration lock


def ensure_schema(engine: Engine, address: Address, *, read_only: bool) -> None:
    """Brings the database to this version's schema, or raises DatabaseError.

    Nothing is changed when it is opened for reading only.
    """
    with engine.connect() as connection:
        version = current_version(connection)
        if version == HEAD:
            return
        if version is None:
            _refuse_foreign_tables(connection, address)
        elif version not in REVISIONS:
            raise DatabaseError(
                f"{address.shown} was written by a newer orchestrate (schema {version}, "
                f"this one knows {HEAD}).",
                "Upgrade orchestrate, or name another database.",
            )
    if read_only:
        raise DatabaseError(*_too_old(address, version))
    migrate(engine)


def _too_old(address: Address, version: str | None) -> tuple[str, str]:
    if version is None:
        return f"{address.shown} holds no sweeps.", "Run a sweep first: orchestrate sweep."
    return (
        f"{address.shown} has an older schema ({version}, this orchestrate needs {HEAD}).",
        f"Migrate it: {MIGRATE_COMMAND} {address.shown}.",
    )


def current_version(connection: Connection) -> str | None:
    """The revision that the database is at, None when none of our tables was ever made."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    row = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).first()
    return str(row[0]) if row else None


def _refuse_foreign_tables(connection: Connection, address: Address) -> None:
    clash = sorted(set(inspect(connection).get_table_names()) & set(METADATA.tables))
    if clash:
        raise DatabaseError(
            f"{address.shown} already has a table {clash[0]!r} that is not ours.",
            "Name another database.",
        )


def migrate(engine: Engine, to: str = HEAD) -> None:
    """Runs the missing migrations in one transaction; a second process waits, then finds none."""
    from alembic import command

    with engine.execution_options(**{WRITES: True}).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        command.upgrade(alembic_config(connection), to)


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration, working on a connection that is already open."""
    from alembic.config import Config

    # A path with % in it would otherwise be taken for a ConfigParser reference.
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def options(connection: Connection) -> dict[str, Any]:
    """How Alembic is to look at a database: at our tables, under our version table."""

    def include_name(name: str | None, kind: str, _parents: object) -> bool:
        return kind != "table" or name is None or not is_optunas(name)

    return {
        "connection": connection,
        "target_metadata": METADATA,
        "version_table": VERSION_TABLE,
        "include_name": include_name,
        "compare_type": True,
        "render_as_batch": connection.dialect.name == "sqlite",
        "transactional_ddl": True,
    }


def differences(connection: Connection) -> list[Any]:
    """What autogenerate would still change: empty when the migrations match the tables."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    context = MigrationContext.configure(connection=connection, opts=options(connection))
    return list(compare_metadata(context, METADATA))
