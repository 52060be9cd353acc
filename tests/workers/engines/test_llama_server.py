"""A real llama-server, where ORCHESTRATE_TEST_ENGINES names a directory that holds one."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_spaces.space import EngineRef
from tests.support.models import builtin_model, engine_binary
from tests.workers.engines.conformance import EngineConformance
from tests.workers.engines.rigs import CPU
from tests.workers.engines.scoring_conformance import PLAIN
from workers.engines.base import Assets
from workers.engines.llama_server import LlamaServerEngine


@pytest.mark.engine
class TestLlamaServer(EngineConformance):
    @pytest.fixture
    def ref(self) -> EngineRef:
        engine_binary("llama-perplexity")
        return EngineRef(path=str(engine_binary("llama-server").parent))


@pytest.mark.engine
def test_a_persons_own_configuration_does_not_reach_a_launch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """llama-server reads ~/.config/llama.cpp/config.ini and LLAMA_ARG_* before its arguments."""
    engine, assets = LlamaServerEngine("real", str(engine_binary("llama-server"))), _target()
    config = tmp_path / ".config" / "llama.cpp" / "config.ini"
    config.parent.mkdir(parents=True)
    config.write_text("api-key = secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setenv("LLAMA_ARG_ALIAS", "somebody")
    with engine.launch(PLAIN, assets, CPU, tmp_path / "log") as running:
        log = running.log_text()
    assert "api key" not in log.lower().replace("no api key", "")
    assert "somebody" not in log


def _target() -> Assets:
    return Assets(builtin_model())
