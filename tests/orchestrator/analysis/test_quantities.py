"""Amounts as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.quantities import QuantityError, percent, seconds, size_mib, tokens

READERS = (size_mib, tokens, percent, seconds)


@pytest.mark.parametrize(
    ("text", "mib"),
    [("1GiB", 1024), ("512 MiB", 512), ("1.5gib", 1536), ("1GB", 953.67431640625), ("0B", 0)],
)
def test_sizes(text: str, mib: float) -> None:
    assert size_mib(text) == mib


@pytest.mark.parametrize(("text", "found"), [("120000", 120000), ("128k", 131072), ("1Ki", 1024)])
def test_tokens(text: str, found: int) -> None:
    assert tokens(text) == found


@pytest.mark.parametrize(("text", "found"), [("0.5%", 0.5), ("-1 %", -1.0), ("+2%", 2.0)])
def test_percentages(text: str, found: float) -> None:
    assert percent(text) == found


@pytest.mark.parametrize(("text", "found"), [("10s", 10), ("500ms", 0.5), ("2min", 120)])
def test_times(text: str, found: float) -> None:
    assert seconds(text) == found


@pytest.mark.parametrize("text", ["1", "1 G", "GiB", "-1GiB", "nanGiB", "1e3GiB", "1GiB2", ""])
def test_no_size(text: str) -> None:
    with pytest.raises(QuantityError):
        size_mib(text)


@pytest.mark.parametrize("text", ["1.5", "-1", "12x", "1M", "9" * 400])
def test_no_number_of_tokens(text: str) -> None:
    with pytest.raises(QuantityError):
        tokens(text)


@pytest.mark.parametrize("text", ["0.5", "0.5 percent", "inf%"])
def test_no_percentage(text: str) -> None:
    with pytest.raises(QuantityError):
        percent(text)


@given(st.text(max_size=12))
def test_any_text_is_an_amount_or_refused_in_words(text: str) -> None:
    for read in READERS:
        try:
            found = read(text)
        except QuantityError as error:
            assert error.hint
        else:
            assert found == found
