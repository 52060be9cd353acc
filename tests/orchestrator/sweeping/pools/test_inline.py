"""The in-process pool keeps what every pool promises."""

from __future__ import annotations

import pytest

from orchestrator.sweeping.pools import inline
from orchestrator.sweeping.pools.base import Pool
from tests.orchestrator.sweeping.pools.conformance import WorkerPoolConformance
from tests.support.stand_ins import StandIn


class TestInline(WorkerPoolConformance):
    """With a worker that measures nothing."""

    @pytest.fixture(autouse=True)
    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where the pool makes its workers."""
        monkeypatch.setattr(inline, "RigWorker", StandIn)

    def make(self) -> Pool:
        """One thread for each rig."""
        return inline.InlinePool()
