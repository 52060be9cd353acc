"""From an engine named in a space to the object that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from search_spaces.space import EngineRef
from workers.contract.errors import OrchestrateError
from workers.engines.base import Engine
from workers.engines.embedded import EmbeddedEngine
from workers.engines.llama_server import LlamaServerEngine

_MAKERS: Mapping[str, Callable[[str, EngineRef], Engine]] = {
    "embedded": lambda name, ref: EmbeddedEngine(name),
    "llama_server": lambda name, ref: LlamaServerEngine(name, ref.path or ""),
}


def make_engine(name: str, ref: EngineRef) -> Engine:
    """The engine of `ref`'s kind under the name that the space gives it.

    Raises OrchestrateError for a kind that cannot be made here. Probes nothing yet.
    """
    maker = _MAKERS.get(ref.kind)
    if maker is None:
        raise OrchestrateError(
            f"Engine {name!r} is of kind {ref.kind!r}, which cannot be run here.",
            f"Kinds that can: {', '.join(sorted(_MAKERS))}.",
        )
    return maker(name, ref)
