"""A thin layer over llama-cpp-python's low-level API. Only ever used in a child process."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from workers.logits.chunking import Chunking
from workers.logits.kv_types import type_ids

Tokens = npt.NDArray[np.int32]
_FLASH_ATTENTION_ON = 1  # quantised V caches need it, and a comparison needs it on both sides


class Model:
    """A loaded model. Ends the child when it cannot be loaded; libllama has logged why."""

    def __init__(self, path: str) -> None:
        import llama_cpp
        from llama_cpp._ggml import libggml

        # No Python callback: what libllama says must reach the log even when it aborts.
        llama_cpp.llama_log_set(llama_cpp.llama_log_callback(), None)
        llama_cpp.llama_backend_init()
        self.api: Any = llama_cpp
        self.type_ids = type_ids(libggml)
        self.handle = llama_cpp.llama_model_load_from_file(
            path.encode(), llama_cpp.llama_model_default_params()
        )
        if not self.handle:
            raise SystemExit(f"failed to load model '{path}'")
        self.vocabulary = llama_cpp.llama_model_get_vocab(self.handle)
        self.n_vocab = int(llama_cpp.llama_vocab_n_tokens(self.vocabulary))
        self.n_ctx_train = int(llama_cpp.llama_model_n_ctx_train(self.handle))

    def tokenize(self, text: bytes) -> Tokens:
        """The whole text, with the special tokens that the vocabulary asks for and no others."""
        size = len(text) + 2  # never more tokens than bytes, but for BOS and EOS
        buffer = (ctypes.c_int32 * size)()
        count = self.api.llama_tokenize(self.vocabulary, text, len(text), buffer, size, True, False)
        if count < 0:
            raise SystemExit(f"llama_tokenize needs {-count} tokens for {len(text)} bytes")
        tokens: Tokens = np.ctypeslib.as_array(buffer)[:count].copy()
        return tokens

    @property
    def chunk_start(self) -> int | None:
        """The token that replaces the first of each chunk: BOS, where the vocabulary adds it."""
        if not self.api.llama_vocab_get_add_bos(self.vocabulary):
            return None
        return int(self.api.llama_vocab_bos(self.vocabulary))


class Context:
    """One K/V cache on a model, with room for all chunks of a group."""

    def __init__(self, model: Model, kv: tuple[str, str], chunking: Chunking, threads: int) -> None:
        api = model.api
        params = api.llama_context_default_params()
        params.n_ctx = chunking.context
        params.n_batch = chunking.batch_tokens
        params.n_ubatch = min(chunking.ubatch, chunking.batch_tokens)
        params.n_seq_max = chunking.sequences
        params.n_outputs_max_per_seq = 0  # as many as the batch has; the default is one
        params.n_threads = params.n_threads_batch = threads
        params.type_k, params.type_v = (model.type_ids[name] for name in kv)
        params.flash_attn_type = _FLASH_ATTENTION_ON
        params.kv_unified = False  # as llama-perplexity: each sequence attends to its own cache
        self._model, self._chunking = model, chunking
        self._handle = api.llama_init_from_model(model.handle, params)
        if not self._handle:
            raise SystemExit(f"failed to create context with K/V cache {'/'.join(kv)}")
        self._batch = api.llama_batch_init(chunking.batch_tokens, 0, 1)

    def evaluate(self, chunks: Tokens) -> npt.NDArray[np.float32]:
        """Logits (chunks, scored, vocabulary) of chunks (chunks, n_ctx).

        The result may lie in libllama's own memory: it holds until the next call.
        """
        api, chunking = self._model.api, self._chunking
        api.llama_memory_clear(api.llama_get_memory(self._handle), True)
        start_token = self._model.chunk_start
        if start_token is not None:
            chunks = chunks.copy()
            chunks[:, 0] = start_token
        found = []
        for start, stop in chunking.passes():
            outputs = self._fill(chunks[:, start:stop], start)
            code = api.llama_decode(self._handle, self._batch)
            if code != 0:
                raise SystemExit(f"llama_decode returned {code}")
            if outputs:
                found.append(self._logits(outputs))
        # Copied only where several passes must be joined: their buffer is one and the same.
        rows = found[0] if len(found) == 1 else np.concatenate(found)
        shaped = rows.reshape(len(chunks), chunking.n_ctx - chunking.first, -1)
        return shaped[:, : chunking.scored]

    def _fill(self, tokens: Tokens, start: int) -> int:
        """Writes one pass into the batch; returns how many rows of logits it will give."""
        sequences, width = tokens.shape
        count = sequences * width
        positions = np.tile(np.arange(start, start + width, dtype=np.int32), sequences)
        wanted = positions >= self._chunking.first
        batch = self._batch
        batch.n_tokens = count
        as_array = np.ctypeslib.as_array
        as_array(batch.token, (count,))[:] = tokens.ravel()
        as_array(batch.pos, (count,))[:] = positions
        as_array(batch.n_seq_id, (count,))[:] = 1
        as_array(batch.logits, (count,))[:] = wanted
        for index in range(count):
            batch.seq_id[index][0] = index // width
        return int(wanted.sum())

    def _logits(self, outputs: int) -> npt.NDArray[np.float32]:
        shape = (outputs, self._model.n_vocab)
        pointer = self._model.api.llama_get_logits(self._handle)
        rows = np.ctypeslib.as_array(
            ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float)), shape=shape
        )
        several = len(list(self._chunking.passes())) > 1
        return rows.copy() if several else rows
