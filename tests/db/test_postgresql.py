"""PostgreSQL's own ways to go wrong, each in one sentence without the password."""

from __future__ import annotations

import importlib.util

import pytest
from sqlalchemy import make_url

from db.database import open_database
from db.errors import DatabaseError
from tests.db.scenes import start_sweep

SECRET = "hunter2-hunter2"


def refusal(url: str) -> str:
    """The message of the refusal; it has a hint and holds no secret."""
    with pytest.raises(DatabaseError) as caught:
        open_database(url)
    assert caught.value.hint
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value.__cause__)
    return caught.value.message


def change(url: str, **parts: str) -> str:
    """The same URL with other parts."""
    return make_url(url).set(**parts).render_as_string(hide_password=False)  # type: ignore[arg-type]


def test_without_psycopg_the_hint_is_to_install_it() -> None:
    if importlib.util.find_spec("psycopg") is not None:
        pytest.skip("psycopg is installed")
    message = refusal(f"postgresql://user:{SECRET}@localhost/name")
    assert message == "PostgreSQL needs the package psycopg, which is not installed."


def test_a_server_that_is_not_there() -> None:
    pytest.importorskip("psycopg")
    message = refusal(f"postgresql://user:{SECRET}@127.0.0.1:1/name")
    assert message == "postgresql+psycopg://user:***@127.0.0.1:1/name does not answer."


def test_a_wrong_password(postgres_url: str) -> None:
    assert refusal(change(postgres_url, password=SECRET)).endswith(
        "refused the user name or password."
    )


def test_a_database_that_does_not_exist(postgres_url: str) -> None:
    assert refusal(change(postgres_url, database="no_such_name")).endswith("does not exist.")


def test_a_reader_of_an_empty_database(postgres_url: str) -> None:
    with pytest.raises(DatabaseError, match=r"holds no sweeps\."):
        open_database(postgres_url, read_only=True)


def test_a_reader_cannot_write(postgres_url: str) -> None:
    with open_database(postgres_url) as database:
        start_sweep(database)
    with open_database(postgres_url, read_only=True) as database:
        assert database.sweeps.find("kv").name == "kv"
        with pytest.raises(Exception, match="read-only transaction"), database.engine.begin() as c:
            c.exec_driver_sql("DELETE FROM sweeps")


def test_the_url_for_optuna_has_the_password_and_the_shown_name_has_not(
    postgres_url: str,
) -> None:
    password = make_url(postgres_url).password
    if not password:
        pytest.skip("ORCHESTRATE_TEST_POSTGRES has no password")
    with open_database(postgres_url) as database:
        assert f":{password}@" in database.url
        assert f":{password}@" not in database.shown
        assert f":{password}@" not in repr(database)
