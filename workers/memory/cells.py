"""How many cells a KV cache gets: contexts are padded, per sequence and per window."""

from __future__ import annotations

from workers.memory.request import MemoryRequest

_PAD = 256


def padded(tokens: int) -> int:
    """The next multiple of 256."""
    return -(-tokens // _PAD) * _PAD


def streams(request: MemoryRequest) -> int:
    """Separate caches: one per sequence, or one for all with --kv-unified."""
    return 1 if request.unified else max(request.n_seq, 1)


def context_cells(request: MemoryRequest, ctx: int | None = None) -> int:
    """Cells of one stream in a full-attention layer.

    Source: llama.cpp src/llama-context.cpp, `n_ctx_seq`: 4096 tokens over 10 slots become
    512 cells for each, a quarter more than asked.
    """
    return padded(padded(ctx or request.ctx) // streams(request))


def swa_cells(request: MemoryRequest, window: int, ctx: int | None = None) -> int:
    """Cells of one stream in a sliding-window layer.

    Source: llama.cpp src/llama-kv-cache-iswa.cpp, `size_swa`.
    """
    full = context_cells(request, ctx)
    if request.swa_full:
        return full
    sequences = max(request.n_seq, 1) if request.unified else 1
    n_ubatch = min(request.n_ubatch, ctx or request.ctx)
    return padded(min(full, window * sequences + n_ubatch))
