"""Headers without files, interpreted by the code that interprets real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.gguf_writer import QWEN35_27B, Key
from workers.contract.model_header import ModelHeader
from workers.gguf_files.fields import Fields
from workers.gguf_files.header import build_header
from workers.gguf_files.raw import Value
from workers.gguf_files.weights import SizedTensor

MIB = 2**20


def make_header(
    architecture: str = "llama",
    *,
    n_layer: int = 4,
    n_embd: int = 1024,
    n_head: int = 8,
    n_head_kv: int | Sequence[int] = 4,
    head_dim: int = 128,
    keys: Mapping[str, Key] | None = None,
    tensors_mib: Mapping[str, int] | None = None,
) -> ModelHeader:
    """A model from its hyperparameters; `tensors_mib` gives tensor sizes in MiB."""
    metadata: dict[str, Value] = {"general.name": f"Test {architecture}"}
    geometry: dict[str, Key] = {
        "block_count": n_layer,
        "embedding_length": n_embd,
        "context_length": 32768,
        "attention.head_count": n_head,
        "attention.head_count_kv": n_head_kv,
        "attention.key_length": head_dim,
        "attention.value_length": head_dim,
    }
    for key, value in {**geometry, **(keys or {})}.items():
        is_array = isinstance(value, Sequence) and not isinstance(value, str)
        metadata[f"{architecture}.{key}"] = tuple(value) if is_array else value  # type: ignore[arg-type,assignment]
    sized = [SizedTensor(name, 0, size * MIB) for name, size in (tensors_mib or {}).items()]
    fields = Fields(Path(f"{architecture}.gguf"), architecture, metadata)
    return build_header(fields, sized, "", 0)


def qwen36_27b(tensors_mib: Mapping[str, int] | None = None) -> ModelHeader:
    """The hybrid of 64 layers and one next-token layer that most public logs are about."""
    return make_header(
        "qwen35",
        n_layer=65,
        n_embd=5120,
        n_head=24,
        head_dim=256,
        keys=QWEN35_27B,
        tensors_mib=tensors_mib,
    )
