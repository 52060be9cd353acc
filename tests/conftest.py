"""Hypothesis profiles, and a PostgreSQL for the whole run.

`--hypothesis-profile=quick` looks less long, `thorough` much longer. The usual one draws the
same examples every time, so that a failure is the change's and not luck's.
"""

from __future__ import annotations

import importlib.util
import os
import uuid
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("usual", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2_000, deadline=None)
settings.load_profile("usual")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL database: the given one, or that of a server for this run only.

    ORCHESTRATE_TEST_POSTGRES names one in which schemas may be made.
    """
    from tests.support.postgres import PostgresServer, binaries

    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed")
    given = os.environ.get("ORCHESTRATE_TEST_POSTGRES")
    if given:
        yield given
        return
    found = binaries()
    if found is None:
        pytest.skip("no PostgreSQL: no server here, ORCHESTRATE_TEST_POSTGRES names none")
    server = PostgresServer(found)
    try:
        server.start()
        yield server.url
    finally:
        server.delete()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A URL whose tables live in a schema that is dropped afterwards."""
    from sqlalchemy import NullPool, create_engine, make_url, text

    schema = f"test_{uuid.uuid4().hex}"
    engine = create_engine(postgres_server, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    url = make_url(postgres_server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
