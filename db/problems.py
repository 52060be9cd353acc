"""From a driver's error to a sentence a person can act on."""

from __future__ import annotations

import re

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from db.address import Address
from db.errors import DatabaseAwayError, DatabaseError

# What the drivers say (a pattern) -> what we say of the database, what to do next.
_KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        "disk is full",
        "cannot grow: the disk is full",
        "Free some space and run the same command again: it resumes.",
    ),
    (
        "no space left on device",
        "cannot grow: the disk is full",
        "Free some space and run the same command again: it resumes.",
    ),
    ("not a database", "is not an SQLite database", "Name another file."),
    ("malformed", "is damaged", "Restore it from a copy, or name another file."),
    (
        "database is locked",
        "is being written by another program",
        "Stop the other program, or wait and run the same command again.",
    ),
    ("readonly database", "cannot be written", "Change its permissions, or name another file."),
    (
        "read-only transaction",
        "cannot be written: it is open for reading only",
        "Open it without read_only.",
    ),
    ("unable to open", "cannot be opened", "Check its permissions and those of its directory."),
    (
        "disk I/O error",
        "cannot be read or written: the disk reports an error",
        "Check the disk, or name a file on another one.",
    ),
    (
        "password authentication failed",
        "refused the user name or password",
        "Check them in the URL, or in PGPASSWORD.",
    ),
    ("no password supplied", "asks for a password", "Put it in the URL, or set PGPASSWORD."),
    (
        r'database ".*" does not exist',
        "does not exist",
        "Create it: createdb NAME.",
    ),
    (r'role ".*" does not exist', "does not know this user", "Check the user name in the URL."),
    ("could not translate host", "is on an unknown host", "Check the host name."),
    ("failed to resolve host", "is on an unknown host", "Check the host name."),
)

# What passes by itself, or when somebody starts the server again.
_AWAY = re.compile(
    "connection refused|connection reset|connection timed out|timeout expired"
    "|server closed the connection|connection has been closed|connection is lost"
    "|the connection is closed|terminating connection|starting up|shutting down"
    "|in recovery mode|is the server running|too many clients|no route to host",
    re.IGNORECASE | re.DOTALL,
)
_IS_IT_RUNNING = "Check the host and the port; is it running?"


def is_away(error: BaseException | None) -> bool:
    """Whether the server is away, by this error or by what caused it (Optuna wraps its own)."""
    while error is not None:
        if isinstance(error, DatabaseAwayError):
            return True
        if isinstance(error, DBAPIError):
            return error.connection_invalidated or bool(_AWAY.search(str(error.orig)))
        error = error.__cause__
    return False


def explain(error: SQLAlchemyError, address: Address) -> DatabaseError:
    """One sentence about this database; the driver's first line when we know no better."""
    text = str(error.orig if isinstance(error, DBAPIError) else error)
    for pattern, sentence, hint in _KNOWN:
        if re.search(pattern, text, re.IGNORECASE):
            return DatabaseError(f"{address.shown} {sentence}.", hint)
    if is_away(error):
        return DatabaseAwayError(f"{address.shown} does not answer.", _IS_IT_RUNNING)
    line = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    return DatabaseError(f"{address.shown} reports: {_without_password(line, address)}.")


def _without_password(text: str, address: Address) -> str:
    password = address.url.password
    return re.sub(re.escape(str(password)), "***", text) if password else text
