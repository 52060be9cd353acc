"""A screenshot as pixels. Source of the format: the PNG specification, filters 0 to 4."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from dataclasses import dataclass

_CHANNELS = {2: 3, 6: 4}  # true colour, without and with transparency; 8 bits each
_MOST_BYTES = 16 << 20
_BEGIN = b"\x89PNG\r\n\x1a\n"
_HEADER = struct.Struct(">IIBBBBB")


@dataclass(frozen=True)
class Picture:
    """`pixels` row by row, each as many bytes as there are channels."""

    width: int
    height: int
    channels: int
    pixels: bytes

    def drawn_share(self) -> float:
        """The share of pixels that differ from the most frequent one."""
        step = self.channels
        counts = Counter(
            self.pixels[start : start + step] for start in range(0, len(self.pixels), step)
        )
        return 1.0 - max(counts.values()) / sum(counts.values())

    def columns_unlike(self, other: Picture) -> frozenset[int]:
        """Where, from the left, pixels differ from those of a picture of the same size."""
        stride, found = self.width * self.channels, set[int]()
        for start in range(0, len(self.pixels), stride):
            row, its = self.pixels[start : start + stride], other.pixels[start : start + stride]
            if row != its:
                found |= {x // self.channels for x in range(len(its)) if row[x] != its[x]}
        return frozenset(found)


def read_png(data: bytes) -> Picture:
    """Decodes what browsers write. Raises ValueError for anything else."""
    if data[:8] != _BEGIN:
        raise ValueError("not a PNG")
    place, packed, header = 8, b"", b""
    while place + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        header, packed = (body, packed) if kind == b"IHDR" else (header, packed)
        packed += body if kind == b"IDAT" else b""
        place += 12 + length
    width, height, depth, colours, *_ = _HEADER.unpack(header.ljust(_HEADER.size, b"\0"))
    if depth != 8 or colours not in _CHANNELS:
        raise ValueError("not 8 bits of true colour")
    channels = _CHANNELS[colours]
    raw = zlib.decompressobj().decompress(packed, _MOST_BYTES)
    return Picture(width, height, channels, _unfiltered(raw, width * channels, height, channels))


def _unfiltered(raw: bytes, stride: int, height: int, channels: int) -> bytes:
    out, above = bytearray(), bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        kind = raw[start]
        for i in range(stride) if kind else ():
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            guess = (0, left, above[i], (left + above[i]) >> 1, 0)[kind]
            line[i] = (line[i] + (_paeth(left, above[i], corner) if kind == 4 else guess)) & 255
        out += line
        above = line
    return bytes(out)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    by = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return left if by[0] <= by[1] and by[0] <= by[2] else up if by[1] <= by[2] else corner
