"""Headers that stand in for model files: shapes as data, read by what reads real headers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from search_spaces.load import load_data
from workers.assumed.card import File, HeaderCard
from workers.contract.errors import OrchestrateError

if TYPE_CHECKING:
    from workers.contract.model_header import ModelHeader
    from workers.gguf_files.weights import SizedTensor

FOLDER = Path(__file__).with_name("headers")
_EXACT = "F32"  # what quantizers leave vectors in


class HeaderCardError(OrchestrateError):
    """A file of headers that cannot be used; names the model and what is wrong."""


def stand_in(reference: str, folders: tuple[Path, ...] = ()) -> ModelHeader | None:
    """The header known for a file of this name, whatever folder or repository it is named in.

    A card may also name a file with the end of its folder (`REPO/FILE`), which goes before.
    `folders` hold more cards, and go before the builtin ones. Raises SpaceError for a card that
    cannot be read, HeaderCardError for one that makes no model.
    """
    for folder in (*folders, FOLDER):
        found = [
            (name, path)
            for path in sorted(folder.glob("*.yaml"))
            for name in _card(path).files
            if f"/{reference}".endswith(f"/{name}")
        ]
        if found:
            name, path = max(found, key=lambda pair: len(pair[0]))
            return _header(path, name)
    return None


def known_files(folders: tuple[Path, ...] = ()) -> list[str]:
    """The names of all files that a header is known of."""
    paths = (path for folder in (*folders, FOLDER) for path in folder.glob("*.yaml"))
    return sorted({name for path in paths for name in _card(path).files})


@cache
def _card(path: Path) -> HeaderCard:
    return load_data(path, HeaderCard)


@cache
def _header(path: Path, name: str) -> ModelHeader:
    from workers.gguf_files.fields import Fields
    from workers.gguf_files.header import build_header
    from workers.gguf_files.raw import Value

    card, file = _card(path), _card(path).files[name]
    own: dict[str, Value] = dict(card.keys)
    if file.nextn:
        own["block_count"] = int(card.keys["block_count"]) + 1  # type: ignore[arg-type]
        own["nextn_predict_layers"] = 1
    metadata: dict[str, Value] = {f"{card.architecture}.{key}": v for key, v in own.items()}
    stem = Path(name).stem
    metadata |= {"general.name": stem, "vocab_size": card.vocabulary}
    fields = Fields(Path(name), card.architecture, metadata)
    shape = build_header(fields, [], "", 0)
    tensors = list(_tensors(card, file, shape, name))
    if file.bytes is not None:
        tensors = _stretched(tensors, file.bytes, name)
    header = build_header(fields, tensors, "", sum(tensor.n_bytes for tensor in tensors))
    return replace(header, quant=file.type)


def _tensors(card: HeaderCard, file: File, shape: ModelHeader, name: str) -> Iterator[SizedTensor]:
    for tensor, dims in card.tensors.items():
        yield _sized(tensor, dims, file.ends or file.type, name)
    kinds = {
        "all": range(shape.n_layer_all),
        "attention": (*shape.layers.full, *shape.layers.swa),
        "recurrent": shape.layers.recurrent,
        "nextn": shape.layers.nextn,
    }
    for group in card.layers:
        for layer in kinds[group.which]:
            for tensor, dims in group.tensors.items():
                yield _sized(f"blk.{layer}.{tensor}", dims, file.type, name)


def _sized(tensor: str, dims: tuple[int, ...], quant: str, name: str) -> SizedTensor:
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

    from workers.gguf_files.weights import SizedTensor

    kind = GGMLQuantizationType.__members__.get(quant if len(dims) > 1 else _EXACT)
    if kind is None:
        raise HeaderCardError(
            f"{name}: {quant!r} is no tensor type of GGUF.", "Write it as Q8_0, Q4_K or F16."
        )
    block, block_bytes = GGML_QUANT_SIZES[kind]
    if dims[-1] % block:  # too narrow for blocks: kept in full, as quantizers do
        block, block_bytes = GGML_QUANT_SIZES[GGMLQuantizationType.F32]
    return SizedTensor(tensor, int(kind), math.prod(dims) // block * block_bytes)


def _stretched(tensors: list[SizedTensor], total: int, name: str) -> list[SizedTensor]:
    """The tensors of the layers, scaled so that the whole has the size of the real file."""
    layers = sum(tensor.n_bytes for tensor in tensors if tensor.name.startswith("blk."))
    ends = sum(tensor.n_bytes for tensor in tensors) - layers
    if total <= ends or not layers:
        raise HeaderCardError(
            f"{name}: {total:,} bytes are less than its embedding and output take ({ends:,}).",
            "Correct bytes, or the type of its ends.",
        )
    factor = (total - ends) / layers
    return [
        replace(tensor, n_bytes=round(tensor.n_bytes * factor))
        if tensor.name.startswith("blk.")
        else tensor
        for tensor in tensors
    ]
