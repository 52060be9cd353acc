"""What is wrong with a database, and what to do about it."""

from __future__ import annotations

from workers.contract.errors import OrchestrateError


class DatabaseError(OrchestrateError):
    """A database that cannot be opened, read or written. Names it, never its password."""


class DatabaseAwayError(DatabaseError):
    """Its server does not answer, or broke the connection off: the same may work in a minute."""
