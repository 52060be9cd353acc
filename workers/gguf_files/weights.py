"""Tensor bytes: how large each tensor is, and which part of an engine holds it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workers.contract.model_header import TensorGroup, Weights
from workers.gguf_files.cursor import truncated
from workers.gguf_files.raw import RawGguf, TensorInfo

# Looked up by row, so the engine never offloads them: LLM_TENSOR_LAYER_INPUT in
# llama.cpp src/llama-arch.cpp.
_LOOKED_UP = frozenset(
    {
        "token_embd.weight",
        "per_layer_token_embd.weight",
        "position_embd.weight",
        "token_types.weight",
    }
)
_IN_LAYER = re.compile(r"blk\.(\d{1,4})\.", re.ASCII)
# LLM_FFN_EXPS_REGEX in llama.cpp common/common.h: what --n-cpu-moe matches.
_EXPERTS = re.compile(r"\.ffn_(up|down|gate|gate_up)_(ch|)exps")


@dataclass(frozen=True, slots=True)
class SizedTensor:
    """A tensor and its bytes on disk."""

    name: str
    type_id: int
    n_bytes: int


def sized_tensors(raw: RawGguf) -> Iterator[SizedTensor]:
    """All tensors of one file with their sizes; raises `BadModelFile` if data is cut off.

    The space up to the next tensor is the truth: forks give their own quantizations ids that
    the library does not know, or knows as something else.
    """
    room = raw.size - raw.data_start
    in_order = sorted(raw.tensors, key=lambda tensor: tensor.offset)
    for index, tensor in enumerate(in_order):
        is_last = index + 1 == len(in_order)
        end = room if is_last else in_order[index + 1].offset
        computed = _bytes_by_type(tensor)
        space = end - tensor.offset
        # The last tensor has no successor to show a foreign type, so its own size must fit.
        if end > room or space < 0 or (is_last and (computed or 0) > space):
            raise truncated(raw.path)
        fits = computed is not None and space - raw.alignment < computed <= space
        if computed is not None and (fits or is_last):
            space = computed
        yield SizedTensor(tensor.name, tensor.type_id, space)


def _bytes_by_type(tensor: TensorInfo) -> int | None:
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

    try:
        block, block_bytes = GGML_QUANT_SIZES[GGMLQuantizationType(tensor.type_id)]
    except (ValueError, KeyError):
        return None
    elements = 1
    for dim in tensor.dims:
        elements *= dim
    return elements // block * block_bytes


def group_weights(tensors: Iterable[SizedTensor], n_layer_all: int) -> Weights:
    """Add up tensors by the part of the engine that holds them."""
    layers, experts = [0] * n_layer_all, [0] * n_layer_all
    groups: dict[tuple[str, bool], list[int]] = {}
    token_embd = embedding = output = 0
    has_output = False
    for tensor in tensors:
        has_output = has_output or tensor.name == "output.weight"
        in_layer = _IN_LAYER.match(tensor.name)
        layer = int(in_layer[1]) if in_layer and int(in_layer[1]) < n_layer_all else None
        name = tensor.name[in_layer.end() :] if in_layer and layer is not None else tensor.name
        sizes = groups.setdefault((name, layer is not None), [0] * n_layer_all)
        sizes[layer or 0] += tensor.n_bytes
        if tensor.name in _LOOKED_UP:
            embedding += tensor.n_bytes
            token_embd += tensor.n_bytes if tensor.name == "token_embd.weight" else 0
        elif layer is not None:
            layers[layer] += tensor.n_bytes
            if _EXPERTS.search(tensor.name):
                experts[layer] += tensor.n_bytes
        else:
            output += tensor.n_bytes
    return Weights(
        total=embedding + output + sum(layers),
        token_embd=token_embd,
        embedding=embedding,
        output=output,
        layers=tuple(layers),
        experts=tuple(experts),
        tied=not has_output and token_embd > 0,
        groups=tuple(
            TensorGroup(
                name=name,
                n_bytes=tuple(sizes) if in_layers else (sizes[0],),
                in_layers=in_layers,
                looked_up=name in _LOOKED_UP,
                experts=_EXPERTS.search(f".{name}") is not None,
            )
            for (name, in_layers), sizes in groups.items()
        ),
    )


def quant_label(file_type: int | None, tensors: Iterable[SizedTensor]) -> str:
    """The quantization as people write it (Q4_K_M), else the type that fills most bytes."""
    from gguf.constants import GGMLQuantizationType, LlamaFileType

    if file_type is not None and file_type in LlamaFileType._value2member_map_:
        return LlamaFileType(file_type).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    by_type: Counter[int] = Counter()
    for tensor in tensors:
        by_type[tensor.type_id] += tensor.n_bytes
    if not by_type:
        return "unknown"
    type_id = by_type.most_common(1)[0][0]
    known = type_id in GGMLQuantizationType._value2member_map_
    return GGMLQuantizationType(type_id).name if known else f"type {type_id}"
