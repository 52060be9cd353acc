"""How we use PostgreSQL: connections that notice when their server is gone."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import NoSuchModuleError

from db.address import Address
from db.codec import dumps
from db.errors import DatabaseError

# What libpq is told. Without the last ones a server whose host vanished is waited for a quarter
# of an hour: https://www.postgresql.org/docs/current/libpq-connect.html
CONNECT: dict[str, Any] = {
    "connect_timeout": 10,  # s
    "keepalives_idle": 10,  # s
    "keepalives_interval": 5,  # s
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # ms
}
POOL: dict[str, Any] = {"pool_pre_ping": True, "connect_args": CONNECT}


def postgres_engine(address: Address, *, read_only: bool) -> Engine:
    """An engine that looks at each connection before it uses it. Raises DatabaseError."""
    options: dict[str, Any] = {"postgresql_readonly": True} if read_only else {}
    try:
        return create_engine(
            address.url,
            json_serializer=dumps,
            execution_options=options,
            **POOL,
        )
    except (ImportError, NoSuchModuleError):
        raise DatabaseError(
            "PostgreSQL needs the package psycopg, which is not installed.",
            "Install it: pip install 'orchestrate[postgres]'.",
        ) from None
