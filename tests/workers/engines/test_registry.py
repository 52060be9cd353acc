"""From a space's `engines:` to the object that runs one."""

from __future__ import annotations

import pytest

from search_spaces.space import EngineRef
from workers.contract.errors import OrchestrateError
from workers.engines.registry import make_engine


@pytest.mark.parametrize(
    "ref",
    [EngineRef(kind="embedded"), EngineRef(path="/opt/llama"), EngineRef(path="llama-server")],
)
def test_each_kind_is_made_without_looking_at_this_host(ref: EngineRef) -> None:
    engine = make_engine("mine", ref)
    assert (engine.name, engine.kind) == ("mine", ref.kind)


def test_a_kind_that_cannot_be_made_is_said() -> None:
    ref = EngineRef(path="x").model_copy(update={"kind": "teleporter"})
    with pytest.raises(OrchestrateError, match="teleporter") as raised:
        make_engine("mine", ref)
    assert "embedded" in raised.value.hint
