"""What is known about a model without loading it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LayerMap:
    """Which layers keep what between two tokens (indices from 0, next-token layers last).

    A layer with attention and a recurrent state stands in both lists; one that keeps nothing
    stands in none. `certain` is False where this architecture's rule is not known for sure:
    then sizes derived from the map are estimates, and no lower bound may rest on them.
    """

    full: tuple[int, ...] = ()  # attention over the whole context
    swa: tuple[int, ...] = ()  # attention over a sliding window
    recurrent: tuple[int, ...] = ()  # a state of fixed size per sequence
    indexer: tuple[int, ...] = ()  # sparse attention: a second, narrow key cache
    nextn: tuple[int, ...] = ()  # multi-token-prediction layers, unused without draft-mtp
    certain: bool = True


@dataclass(frozen=True, slots=True)
class DraftKeys:
    """What a DFlash or EAGLE-3 drafter asks of its target.

    `block_size` counts the anchor: it drafts at most `block_size - 1` tokens (16 is what
    llama.cpp assumes where the key is missing). `selector_top_k` above 0 makes it a DFlash2.
    """

    target_layers: tuple[int, ...]
    block_size: int = 16
    selector_top_k: int = 0
    target_hidden_size: int | None = None  # EAGLE-3 says how wide its target is

    @property
    def is_dflash2(self) -> bool:
        """Source: llama.cpp common/speculative.cpp, `is_dflash2 = selector_top_k > 0`."""
        return self.selector_top_k > 0


@dataclass(frozen=True, slots=True)
class TensorGroup:
    """Tensors of one name: a single one, or one in each of some layers (`blk.N.` left out).

    `n_bytes` is by layer, 0 where a layer has none. `looked_up`: part of what stays on the CPU;
    `experts`: what --n-cpu-moe moves.
    """

    name: str
    n_bytes: tuple[int, ...]
    in_layers: bool
    looked_up: bool = False
    experts: bool = False

    def tensors(self) -> Iterator[tuple[int | None, str, int]]:
        """Layer, full name and bytes of each tensor."""
        for layer, n_bytes in enumerate(self.n_bytes):
            if n_bytes and self.in_layers:
                yield layer, f"blk.{layer}.{self.name}", n_bytes
            elif n_bytes:
                yield None, self.name, n_bytes


@dataclass(frozen=True, slots=True)
class Weights:
    """Bytes of tensor data by where an engine puts them.

    `embedding` is what only looks tokens up and stays on the CPU (token_embd, and the
    per-layer table of Gemma 3n/4); `output` is everything else outside the layers.
    `groups` are the same tensors by name, for who moves some of them.
    `experts` is the part of each layer that --n-cpu-moe moves to the CPU.
    """

    total: int
    token_embd: int
    embedding: int
    output: int
    layers: tuple[int, ...]
    experts: tuple[int, ...]
    tied: bool  # no output tensor: the engine keeps a second copy of token_embd as output
    groups: tuple[TensorGroup, ...] = ()

    @property
    def on_device(self) -> int:
        """Bytes on the device with every layer offloaded."""
        return self.output + sum(self.layers) + (self.token_embd if self.tied else 0)


@dataclass(frozen=True, slots=True)
class ModelHeader:
    """One model, all parts of a split file together.

    `n_layer` counts without, the per-layer tuples with the next-token layers.
    `vocab_hash` covers the text of all tokens from the sixth on (llama.cpp lets a drafter's
    first five differ). `recurrent_layer_bytes` is one sequence's state in one recurrent
    layer; None means that the file does not say.
    """

    path: Path
    architecture: str
    name: str
    n_layer: int
    n_layer_nextn: int
    n_embd: int
    n_head: int
    n_head_kv: tuple[int, ...]
    head_dim_k: int
    head_dim_v: int
    head_dim_k_swa: int
    head_dim_v_swa: int
    mla: bool  # compressed attention: keys only, values are a view of them
    n_ctx_train: int
    n_vocab: int
    tokenizer_model: str
    vocab_hash: str
    sliding_window: int  # tokens; 0 without SWA layers
    indexer_key_length: int
    layers: LayerMap
    recurrent_layer_bytes: int | None
    recurrent_rollback: bool  # the engine can keep earlier states of it for speculation
    draft: DraftKeys | None
    file_type: int | None
    quant: str
    weights: Weights
    tensor_count: int
    split_count: int
    file_bytes: int

    def __hash__(self) -> int:
        """By what tells files apart: plans look headers up for every candidate."""
        return hash((self.path, self.file_bytes, self.tensor_count, self.quant))

    @property
    def n_layer_all(self) -> int:
        """All layers of the file."""
        return self.n_layer + self.n_layer_nextn

    @property
    def recurrent_state_bytes(self) -> int | None:
        """One sequence's recurrent state over all layers, in bytes; 0 for pure attention."""
        if not self.layers.recurrent:
            return 0
        if self.recurrent_layer_bytes is None:
            return None
        return self.recurrent_layer_bytes * len(self.layers.recurrent)

    @property
    def is_dflash2(self) -> bool:
        """A drafter that only engines with DFlash2 can load."""
        return self.draft is not None and self.draft.is_dflash2
