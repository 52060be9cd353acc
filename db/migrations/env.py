"""Run by Alembic. The program passes an open connection; a developer, at the command line, a URL:

alembic -c db/alembic.ini -x url=sqlite:///scratch.db revision --autogenerate -m "what changes"
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine

from db.schema import options


def run(connection: Connection) -> None:
    """Runs the migrations on a connection."""
    context.configure(**options(connection))
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    url = context.get_x_argument(as_dictionary=True).get("url")
    if url is None:
        raise SystemExit("Name the database: alembic -c db/alembic.ini -x url=URL COMMAND.")
    with create_engine(url).begin() as opened:
        run(opened)
