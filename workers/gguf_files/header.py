"""`read_header`: everything a plan needs to know of a model, in milliseconds."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from workers.contract.model_header import DraftKeys, ModelHeader
from workers.gguf_files import architectures
from workers.gguf_files.cursor import Cursor
from workers.gguf_files.errors import BadModelFile
from workers.gguf_files.fields import Fields
from workers.gguf_files.layers import map_layers
from workers.gguf_files.raw import RawGguf, Span, open_raw
from workers.gguf_files.recurrent_state import recurrent_layer_bytes
from workers.gguf_files.splits import check_complete, other_parts
from workers.gguf_files.weights import SizedTensor, group_weights, quant_label, sized_tensors

_INDEXER = re.compile(r"blk\.(\d{1,4})\.indexer\.", re.ASCII)
_MOST_LAYERS = 1024  # llama.cpp allows 512
_FIRST_COMPARED_TOKEN = 5  # SPEC_VOCAB_CHECK_START_TOKEN_ID in llama.cpp common/speculative.cpp


def read_header(path: Path) -> ModelHeader:
    """Read a model's header (of all its parts) without touching tensor data.

    Raises `BadModelFile`, and nothing else, for whatever no engine would load: a missing,
    empty, foreign, corrupt or truncated file, or a split model with a part missing.
    """
    with open_raw(path) as raw:
        fields = _fields(raw)
        tensors = list(sized_tensors(raw))
        file_bytes = raw.size
        vocab = vocab_hash(raw)
    parts = other_parts(path, fields)
    for part in parts:
        with open_raw(part) as raw_part:
            tensors += sized_tensors(raw_part)
            file_bytes += raw_part.size
    if parts:
        check_complete(path, fields, len(tensors))
    return build_header(fields, tensors, vocab, file_bytes, 1 + len(parts))


def _fields(raw: RawGguf) -> Fields:
    architecture = raw.metadata.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        fault, hint = "names no architecture", "Convert the model again; this file is no model."
        raise BadModelFile(raw.path, fault, hint)
    if architecture == "clip":
        fault = "is an image or audio projector, not a language model"
        raise BadModelFile(raw.path, fault, "Name the language model next to it.")
    return Fields(raw.path, architecture, raw.metadata)


def vocab_hash(raw: RawGguf) -> str:
    """16 hex digits over the raw bytes of the token list from the sixth token on; "" without.

    Equal text makes equal bytes, so nothing needs decoding.
    """
    tokens = raw.metadata.get("tokenizer.ggml.tokens")
    if not isinstance(tokens, Span):
        return ""
    cursor = Cursor(raw.path, raw.buffer)
    cursor.at = tokens.start
    cursor.skip_texts(min(_FIRST_COMPARED_TOKEN, tokens.count))
    return hashlib.sha256(raw.buffer[cursor.at : tokens.end]).hexdigest()[:16]


def build_header(
    fields: Fields, tensors: list[SizedTensor], vocab: str, file_bytes: int, split_count: int = 1
) -> ModelHeader:
    """Interpret metadata and tensor sizes; pure, so a model can be described without a file."""
    n_layer_all = fields.number("block_count")
    n_nextn = fields.number("nextn_predict_layers", 0)
    if not 0 < n_layer_all <= _MOST_LAYERS or n_nextn > n_layer_all:
        fault = f"has an impossible number of layers ({n_layer_all}, {n_nextn} of them next-token)"
        raise BadModelFile(fields.path, fault, "Download it again.")
    n_embd = fields.number("embedding_length")
    heads = fields.numbers("attention.head_count", n_layer_all, 0)
    n_head = heads[0]
    heads_kv = heads
    if fields.get("attention.head_count_kv") is not None:
        heads_kv = fields.numbers("attention.head_count_kv", n_layer_all)
    head_dim = n_embd // n_head if n_head else 0
    head_dim_k = fields.number("attention.key_length", head_dim)
    head_dim_v = fields.number("attention.value_length", head_dim)
    indexer = {int(found[1]) for t in tensors if (found := _INDEXER.match(t.name))}
    layers, window = map_layers(
        fields, n_layer_all - n_nextn, n_layer_all, heads_kv, sorted(indexer)
    )
    has_type = fields.get("general.file_type") is not None
    file_type = fields.number("general.file_type") if has_type else None
    return ModelHeader(
        path=fields.path,
        architecture=fields.architecture,
        name=fields.text("general.name", fields.path.stem),
        n_layer=n_layer_all - n_nextn,
        n_layer_nextn=n_nextn,
        n_embd=n_embd,
        n_head=max(heads),
        n_head_kv=heads_kv,
        head_dim_k=head_dim_k,
        head_dim_v=head_dim_v,
        head_dim_k_swa=fields.number("attention.key_length_swa", head_dim_k),
        head_dim_v_swa=fields.number("attention.value_length_swa", head_dim_v),
        mla=fields.number("attention.key_length_mla", 0) > 0,
        n_ctx_train=fields.number("context_length", 0),
        n_vocab=_n_vocab(fields),
        tokenizer_model=fields.text("tokenizer.ggml.model"),
        vocab_hash=vocab,
        sliding_window=window,
        indexer_key_length=fields.number("attention.indexer.key_length", 0),
        layers=layers,
        recurrent_layer_bytes=recurrent_layer_bytes(fields, n_embd, n_head, head_dim_k),
        recurrent_rollback=fields.architecture in architectures.ROLLBACK,
        draft=_draft_keys(fields),
        file_type=file_type,
        quant=quant_label(file_type, tensors),
        weights=group_weights(tensors, n_layer_all),
        tensor_count=len(tensors),
        split_count=split_count,
        file_bytes=file_bytes,
    )


def _n_vocab(fields: Fields) -> int:
    tokens = fields.get("tokenizer.ggml.tokens")
    return fields.number("vocab_size", tokens.count if isinstance(tokens, Span) else 0)


def _draft_keys(fields: Fields) -> DraftKeys | None:
    targets = fields.listed("target_layers")
    if targets is None:
        return None
    hidden = fields.number("target_hidden_size", 0)
    return DraftKeys(
        target_layers=targets,
        block_size=fields.number("block_size", 16),
        selector_top_k=fields.number("selector_top_k", 0),
        target_hidden_size=hidden or None,
    )
