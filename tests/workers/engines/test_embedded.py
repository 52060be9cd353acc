"""The embedded engine, for real: it conforms on any machine that has the project's packages."""

from __future__ import annotations

import pytest

from search_spaces.space import EngineRef
from tests.workers.engines.conformance import EngineConformance


@pytest.mark.engine
class TestEmbedded(EngineConformance):
    @pytest.fixture
    def ref(self) -> EngineRef:
        return EngineRef(kind="embedded")
