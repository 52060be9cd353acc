"""The database as `orchestrate doctor` looks at it: reachable, of this version, with sweeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from db.database import open_database
from db.errors import DatabaseError
from orchestrator.cli.doors import DEFAULT_STORAGE
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host


class DatabaseCheck:
    """Catches a database that cannot be opened before a sweep finds out."""

    name = "database"
    looks_at = "the database: reachable, schema of this version, sweeps in it"

    def __init__(self, storage: str | None) -> None:
        self._storage = storage

    def check(self, host: Host) -> Iterator[Finding]:
        """Reads only. That there is none yet is no fault unless one was named."""
        if self._storage is None and not Path(DEFAULT_STORAGE).exists():
            yield self._finding(Severity.OK, f"no {DEFAULT_STORAGE} here yet; a sweep makes one.")
            return
        try:
            with open_database(self._storage or DEFAULT_STORAGE, read_only=True) as database:
                sweeps = database.sweeps.list()
                yield self._finding(
                    Severity.OK, f"{database.shown}: schema of this version, {len(sweeps)} sweeps."
                )
        except DatabaseError as error:
            yield self._finding(Severity.ERROR, error.message, error.hint)

    def _finding(self, severity: Severity, evidence: str, advice: str = "") -> Finding:
        return Finding(self.name, severity, Confidence.HIGH, evidence, advice)
