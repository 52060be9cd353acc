"""What a file of header stand-ins says: one model's shape, and the files that have it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from search_spaces.recipe import Strict, Text

Shape = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1, max_length=4)]
Layers = Literal["all", "attention", "recurrent", "nextn"]


class LayerTensors(Strict):
    """Tensors of every layer of a kind; names without `blk.N.`, shapes rows first."""

    which: Layers
    tensors: dict[Text, Shape]


class File(Strict):
    """One quantization: the `type` of its matrices, and of the embedding and output (`ends`).

    `bytes` is the size of the file where types differ tensor by tensor. `nextn` says that the
    layers for multi-token prediction are in it.
    """

    type: Text
    ends: Text | None = None
    bytes: Annotated[int, Field(ge=1)] | None = None
    nextn: bool = False


class HeaderCard(Strict):
    """One shape. `keys` are GGUF metadata without the architecture's name."""

    architecture: Text
    vocabulary: Annotated[int, Field(ge=1)]
    keys: dict[Text, int | tuple[int, ...]]
    tensors: dict[Text, Shape]
    layers: tuple[LayerTensors, ...]
    files: dict[Text, File]
