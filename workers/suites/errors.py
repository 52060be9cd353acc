"""The error of this room: a suite that cannot be used, and what to write instead."""

from __future__ import annotations

from workers.contract.errors import OrchestrateError


class SuiteError(OrchestrateError):
    """A prompt suite that is missing or malformed; names the file and the line."""
