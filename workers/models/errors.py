"""The errors of this room: a model or a corpus that cannot be had, and what to do about it."""

from __future__ import annotations

from workers.contract.errors import OrchestrateError


class ModelError(OrchestrateError):
    """A model reference that leads to no usable file."""


class CorpusError(OrchestrateError):
    """A corpus reference that leads to no usable text."""
