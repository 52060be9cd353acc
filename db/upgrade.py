"""Migrates a database to this version's schema: python -m db.upgrade orchestrate.db."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from db.database import open_database
from db.errors import DatabaseError
from db.schema import HEAD


def main(arguments: Sequence[str]) -> int:
    """Exit code 0 once the database is at the head, that of the error otherwise."""
    if len(arguments) != 1:
        print("Name one database: python -m db.upgrade orchestrate.db.", file=sys.stderr)
        return 2
    try:
        with open_database(arguments[0]) as database:
            print(f"{database.shown} is at schema {HEAD}.")
    except DatabaseError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
