"""Small GGUF files for tests: real headers, tensor data that takes no room on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from gguf import GGUFEndian, GGUFValueType, GGUFWriter
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

Key = int | float | bool | str | Sequence[int] | Sequence[bool] | Sequence[str]
Shape = tuple[int, ...]  # rows first, as numpy has it: (vocabulary, width)

VOCAB = tuple(f"token{i}" for i in range(24))

QWEN35_27B: dict[str, Key] = {
    "full_attention_interval": 4,
    "nextn_predict_layers": 1,
    "attention.key_length": 256,
    "attention.value_length": 256,
    "ssm.conv_kernel": 4,
    "ssm.state_size": 128,
    "ssm.group_count": 16,
    "ssm.inner_size": 6144,
    "ssm.time_step_rank": 48,
}


def write_gguf(
    path: Path,
    architecture: str = "llama",
    *,
    n_layer: int = 2,
    n_embd: int = 64,
    n_head: int = 4,
    n_head_kv: int | Sequence[int] = 2,
    n_ctx_train: int = 4096,
    vocab: Sequence[str] = VOCAB,
    keys: Mapping[str, Key] | None = None,
    tensors: Mapping[str, Shape] | None = None,
    quant: GGMLQuantizationType = GGMLQuantizationType.F32,
    big_endian: bool = False,
) -> Path:
    """Write a model and return its path.

    `keys` are added (a name that starts with "general.", "split." or "tokenizer." as it
    stands, any other under the architecture). `tensors` default to one matrix per layer, the
    embedding and the output. Data is a hole in the file: sizes are right, disk use is not.
    """
    endianess = GGUFEndian.BIG if big_endian else GGUFEndian.LITTLE
    writer = GGUFWriter(path, architecture, endianess=endianess)
    writer.add_name(f"Test {architecture}")
    writer.add_context_length(n_ctx_train)
    writer.add_embedding_length(n_embd)
    writer.add_block_count(n_layer)
    writer.add_head_count(n_head)
    writer.add_head_count_kv(n_head_kv if isinstance(n_head_kv, int) else list(n_head_kv))
    if vocab:
        writer.add_tokenizer_model("gpt2")
        writer.add_token_list(list(vocab))
    for key, value in (keys or {}).items():
        as_it_stands = key.startswith(("general.", "split.", "tokenizer."))
        name = key if as_it_stands else f"{architecture}.{key}"
        _add(writer, name, value)
    shapes = default_tensors(n_layer, n_embd, len(vocab)) if tensors is None else tensors
    n_bytes = 0
    for name, shape in shapes.items():
        size = tensor_bytes(shape, quant)
        writer.add_tensor_info(name, shape, np.dtype(np.float32), size, quant)
        n_bytes += GGUFWriter.ggml_pad(size, writer.data_alignment)
    writer.write_header_to_file(path)
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    if shapes:
        start = GGUFWriter.ggml_pad(path.stat().st_size, writer.data_alignment)
        with path.open("r+b") as file:
            file.truncate(start + n_bytes)
    return path


def default_tensors(n_layer: int, n_embd: int, n_vocab: int) -> dict[str, Shape]:
    """One matrix per layer, an embedding and an output."""
    layers = {f"blk.{i}.attn_q.weight": (n_embd, n_embd) for i in range(n_layer)}
    ends = {"token_embd.weight": (n_vocab or 1, n_embd), "output.weight": (n_vocab or 1, n_embd)}
    return {**ends, **layers}


def tensor_bytes(shape: Shape, quant: GGMLQuantizationType) -> int:
    """Bytes of a tensor of this shape and type."""
    block, block_bytes = GGML_QUANT_SIZES[quant]
    return int(np.prod(shape)) // block * block_bytes


def write_dflash(
    path: Path,
    *,
    n_embd: int = 64,
    block_size: int = 8,
    keys: Mapping[str, Key] | None = None,
    vocab: Sequence[str] = VOCAB,
) -> Path:
    """A DFlash drafter of one layer that shares the target's embedding and output."""
    own_keys: dict[str, Key] = {"target_layers": [0, 1], "block_size": block_size}
    tensors = {"fc.weight": (n_embd, 2 * n_embd), "blk.0.attn_q.weight": (n_embd, n_embd)}
    return write_gguf(
        path,
        "dflash",
        n_layer=1,
        n_embd=n_embd,
        vocab=vocab,
        keys={**own_keys, **(keys or {})},
        tensors=tensors,
    )


def _add(writer: GGUFWriter, name: str, value: Key) -> None:
    if isinstance(value, bool):
        writer.add_bool(name, value)
    elif isinstance(value, int):
        writer.add_uint32(name, value)
    elif isinstance(value, float):
        writer.add_float32(name, value)
    elif isinstance(value, str):
        writer.add_string(name, value)
    elif not value:
        writer.add_key_value(name, [], GGUFValueType.ARRAY, GGUFValueType.UINT32)
    else:
        writer.add_array(name, list(value))
