"""The errors of this room: a task that cannot be used, a place where programs cannot be run."""

from __future__ import annotations

from workers.contract.errors import OrchestrateError


class TaskError(OrchestrateError):
    """A task that is missing or malformed; names the file and the key."""


class SandboxError(OrchestrateError):
    """Generated programs cannot be run here; says what is missing."""
