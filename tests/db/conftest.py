"""Real databases: an SQLite file of the test's own, and a PostgreSQL schema where one is given.

ORCHESTRATE_TEST_POSTGRES is the URL of a PostgreSQL database in which schemas may be made.
"""

from __future__ import annotations

import importlib.util
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from db.database import Database, open_database


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """A URL whose tables live in a schema that is dropped afterwards."""
    given = os.environ.get("ORCHESTRATE_TEST_POSTGRES")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed")
    if not given:
        pytest.skip("ORCHESTRATE_TEST_POSTGRES names no PostgreSQL database")
    schema = f"test_{uuid.uuid4().hex}"
    engine = create_engine(given)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    url = make_url(given).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'orchestrate.db'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """An open database of each kind."""
    with open_database(url) as opened:
        yield opened
