"""Where a database is: from what a person typed to an address that can be shown safely."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from db.errors import DatabaseError

_FORMS = "Use a file (orchestrate.db), sqlite:///orchestrate.db, or postgresql+psycopg://HOST/NAME."
_POSTGRES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})


@dataclass(frozen=True, slots=True)
class Address:
    """An SQLite file (`path` is absolute) or a PostgreSQL database (`path` is None).

    `shown` is what messages print: the path, or the URL with its password hidden.
    """

    url: URL
    shown: str
    path: Path | None = None

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Reads a bare path or a URL; raises DatabaseError for anything else."""
        if not text.strip() or "\0" in text:
            raise DatabaseError("the name of the database is empty or holds a NUL.", _FORMS)
        if "://" not in text:
            return cls._file(text)
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise DatabaseError(f"{_hide(text)} is not a database URL.", _FORMS) from None
        if url.drivername in ("sqlite", "sqlite+pysqlite"):
            if url.query:
                raise DatabaseError(
                    "options after ? are not supported for SQLite.", "Remove them from the URL."
                )
            return cls._file(url.database or ":memory:")
        if url.drivername in _POSTGRES:
            url = url.set(drivername="postgresql+psycopg")
            return cls(url, url.render_as_string(hide_password=True))
        raise DatabaseError(f"{url.drivername} databases are not supported.", _FORMS)

    @classmethod
    def _file(cls, name: str) -> Address:
        if name == ":memory:":
            raise DatabaseError(
                "a database in memory would forget the sweep when it ends.", "Name a file."
            )
        path = Path(name).expanduser().absolute()
        return cls(URL.create("sqlite", database=str(path)), str(path), path)


def _hide(text: str) -> str:
    """The text without what stands between the user's name and the host.

    Greedy, so that a password with an unescaped @ or / in it is hidden as a whole.
    """
    return re.sub(r"://([^:@/]*):.*@", r"://\1:***@", text, flags=re.DOTALL)
