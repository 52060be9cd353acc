"""Contexts are padded to 256 cells, for each sequence of its own cache."""

from __future__ import annotations

from workers.memory.cells import context_cells, swa_cells
from workers.memory.request import MemoryRequest


def test_a_context_is_padded() -> None:
    assert context_cells(MemoryRequest(ctx=5000)) == 5120


def test_ten_slots_of_a_4096_context_get_512_cells_each() -> None:
    assert context_cells(MemoryRequest(ctx=4096, n_seq=10)) == 512


def test_unified_slots_share_one_context() -> None:
    assert context_cells(MemoryRequest(ctx=4096, n_seq=10, unified=True)) == 4096


def test_a_window_needs_room_for_one_batch_more() -> None:
    # https://github.com/ggml-org/llama.cpp/issues/17037: the window cache is padded to 256.
    assert swa_cells(MemoryRequest(ctx=8192, n_ubatch=128), window=128) == 256
    assert swa_cells(MemoryRequest(ctx=8192, n_ubatch=512), window=2048) == 2560


def test_unified_slots_each_bring_their_window() -> None:
    request = MemoryRequest(ctx=131072, n_seq=4, unified=True)
    assert swa_cells(request, window=128) == 1024


def test_a_window_is_never_larger_than_the_context() -> None:
    assert swa_cells(MemoryRequest(ctx=1024), window=4096) == 1024


def test_swa_full_keeps_the_whole_context() -> None:
    assert swa_cells(MemoryRequest(ctx=32768, swa_full=True), window=1024) == 32768
