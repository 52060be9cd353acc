"""Screenshots are decoded as the PNG specification says."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.quality.browser.picture import read_png


def png(pixels: list[list[tuple[int, ...]]], kind: int) -> bytes:
    """Encodes rows of pixels, every row with the same filter: written from the other side."""
    channels = len(pixels[0][0])
    lines = [bytes(value for pixel in row for value in pixel) for row in pixels]
    raw, above = b"", bytes(len(lines[0]))
    for line in lines:
        left = bytes(channels) + line[:-channels]
        corner = bytes(channels) + above[:-channels]
        guesses = [guess(kind, *bytes_) for bytes_ in zip(left, above, corner, strict=True)]
        raw += bytes([kind]) + bytes((a - b) % 256 for a, b in zip(line, guesses, strict=True))
        above = line
    header = struct.pack(
        ">IIBBBBB", len(pixels[0]), len(pixels), 8, {3: 2, 4: 6}[channels], 0, 0, 0
    )
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + bytes(4) for name, body in chunks
    )


def guess(kind: int, left: int, up: int, corner: int) -> int:
    nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
    return (0, left, up, (left + up) // 2, nearest)[kind]


ROWS = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=width, max_size=width),
        min_size=1,
        max_size=5,
    )
)


@given(ROWS, st.integers(0, 4))
def test_every_filter_is_undone(rows: list[list[tuple[int, ...]]], kind: int) -> None:
    picture = read_png(png(rows, kind))
    assert picture.pixels == bytes(value for row in rows for pixel in row for value in pixel)


def test_the_share_that_is_drawn_is_what_differs_from_the_background() -> None:
    white, black = (255, 255, 255, 255), (0, 0, 0, 255)
    assert read_png(png([[white, white], [white, black]], 0)).drawn_share() == 0.25
    assert read_png(png([[white, white]], 1)).drawn_share() == 0.0


def test_columns_that_differ_are_told() -> None:
    white, black = (255, 255, 255), (0, 0, 0)
    one, other = (
        png([[white] * 4, [white] * 4], 0),
        png([[white] * 4, [white, white, black, white]], 2),
    )
    assert read_png(one).columns_unlike(read_png(other)) == {2}
    assert read_png(one).columns_unlike(read_png(one)) == frozenset()


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n"])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"PNG|true colour"):
        read_png(data)
