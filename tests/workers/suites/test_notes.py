"""Running text: the same everywhere, never repeating, as long as asked for."""

from __future__ import annotations

import hashlib
import itertools

from hypothesis import given
from hypothesis import strategies as st

from workers.suites.notes import notes, notes_of


def test_a_seed_gives_the_same_text_on_every_machine() -> None:
    text = "\n".join(itertools.islice(notes(7), 200))
    assert hashlib.sha256(text.encode()).hexdigest().startswith("860ca22bf57c9537")


def test_other_seeds_give_other_texts() -> None:
    firsts = {next(notes(seed)) for seed in range(30)}
    assert len(firsts) == 30


def test_a_book_of_notes_hardly_repeats_one() -> None:
    book = list(itertools.islice(notes(0), 5000))
    assert len(set(book)) > 4950


@given(st.integers(0, 5000), st.integers(0, 100))
def test_notes_of_a_length_are_whole_and_fit(characters: int, seed: int) -> None:
    text = notes_of(characters, seed)
    assert len(text) <= characters
    assert text == "\n".join(itertools.islice(notes(seed), len(text.splitlines())))
