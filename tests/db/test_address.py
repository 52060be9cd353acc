"""What a person may type for a database, and what is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.address import Address
from db.errors import DatabaseError


def test_a_bare_path_is_an_sqlite_file() -> None:
    address = Address.parse("sweeps/my.db")
    assert address.path == Path("sweeps/my.db").absolute()


def test_a_url_and_a_bare_path_name_the_same_file() -> None:
    assert Address.parse("sqlite:///my.db") == Address.parse("my.db")


def test_a_home_directory_is_expanded() -> None:
    assert Address.parse("~/my.db").path == Path.home() / "my.db"


@pytest.mark.parametrize("name", ["a b.db", "a?b.db", "a#b.db", "a%20b.db", "ü.db", "a@b:c.db"])
def test_odd_names_survive_the_url(name: str, tmp_path: Path) -> None:
    address = Address.parse(str(tmp_path / name))
    assert Address.parse(address.url.render_as_string()) == address


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_means_psycopg(scheme: str) -> None:
    assert Address.parse(f"{scheme}://user@host/name").url.drivername == "postgresql+psycopg"


def test_the_password_is_kept_for_connecting_but_not_shown() -> None:
    address = Address.parse("postgresql://user:hunter2@host/name")
    assert address.url.password == "hunter2"
    assert address.shown == "postgresql+psycopg://user:***@host/name"
    assert "hunter2" not in repr(address)


@given(password=st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=5))
def test_no_refusal_repeats_a_password(password: str) -> None:
    try:
        shown = Address.parse(f"postgresql://user:{password}!sesame@host:port/name").shown
    except DatabaseError as error:
        shown = str(error)
    assert "!sesame" not in shown


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the name of the database is empty or holds a NUL."),
        ("a\0b", "the name of the database is empty or holds a NUL."),
        (":memory:", "a database in memory would forget the sweep when it ends."),
        ("sqlite://", "a database in memory would forget the sweep when it ends."),
        ("mysql://host/name", "mysql databases are not supported."),
        ("postgresql+asyncpg://h/n", "postgresql+asyncpg databases are not supported."),
        ("sqlite:///a.db?mode=ro", "options after ? are not supported for SQLite."),
        ("://", ":// is not a database URL."),
        ("postgresql://u:pw@host:port/n", "postgresql://u:***@host:port/n is not a database URL."),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        Address.parse(text)
    assert caught.value.message == sentence
    assert caught.value.hint
