"""How a text is cut and batched, as llama-perplexity does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.logits.chunking import Chunking

sizes = st.integers(8, 600)


@st.composite
def chunkings(draw: st.DrawFn) -> Chunking:
    n_ctx = draw(sizes)
    batch = draw(st.one_of(st.integers(1, n_ctx - 1), st.integers(1, 5).map(lambda k: k * n_ctx)))
    return Chunking(n_ctx, batch, draw(sizes))


def test_the_second_half_is_scored_but_for_its_last_position() -> None:
    chunking = Chunking(512, 512, 512)
    assert (chunking.first, chunking.scored) == (256, 255)


def test_a_batch_of_several_chunks_runs_them_as_sequences() -> None:
    chunking = Chunking(512, 2048, 512)
    assert (chunking.sequences, chunking.context, list(chunking.passes())) == (4, 2048, [(0, 512)])


def test_a_smaller_batch_takes_several_passes() -> None:
    chunking = Chunking(512, 200, 64)
    assert list(chunking.passes()) == [(0, 200), (200, 400), (400, 512)]
    assert (chunking.sequences, chunking.batch_tokens) == (1, 200)


def test_a_batch_that_is_no_multiple_is_refused() -> None:
    with pytest.raises(ValueError, match="multiple"):
        Chunking(512, 768, 512)


def test_the_last_group_may_be_smaller() -> None:
    assert list(Chunking(512, 2048, 512).groups(6)) == [range(4), range(4, 6)]


@given(chunkings())
def test_passes_cover_every_position_once(chunking: Chunking) -> None:
    covered = [at for start, stop in chunking.passes() for at in range(start, stop)]
    assert covered == list(range(chunking.n_ctx))


@given(chunkings(), st.integers(0, 50))
def test_groups_cover_every_chunk_once(chunking: Chunking, chunks: int) -> None:
    assert [n for group in chunking.groups(chunks) for n in group] == list(range(chunks))


@given(chunkings())
def test_a_pass_over_a_group_fits_the_batch(chunking: Chunking) -> None:
    longest = max(stop - start for start, stop in chunking.passes())
    assert longest * chunking.sequences <= chunking.batch_tokens
