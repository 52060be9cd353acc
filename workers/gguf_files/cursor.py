"""A bounds-checked walk over the bytes of a GGUF file.

Every read says how many bytes it needs before it touches them, so a truncated or corrupt file
ends in `BadModelFile` and never in a loop over a made-up count.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from workers.gguf_files.errors import BadModelFile

Scalar = int | float | bool

# The scalar value types of the format by id: struct code and size in bytes.
# Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (gguf_metadata_value_type).
SCALARS: dict[int, struct.Struct] = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: struct.Struct("<Q"),
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
STRING = 8
ARRAY = 9

_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


class Cursor:
    """A position in a mapped file; all numbers are little-endian."""

    def __init__(self, path: Path, buffer: mmap.mmap | bytes) -> None:
        self.path = path
        self.buffer = buffer
        self.size = len(buffer)
        self.at = 0

    def need(self, n_bytes: int) -> None:
        """Raise unless `n_bytes` more bytes are there."""
        if n_bytes > self.size - self.at:
            raise truncated(self.path)

    def u32(self) -> int:
        """One unsigned 32-bit number."""
        return int(self.scalar(_U32))

    def u64(self) -> int:
        """One unsigned 64-bit number."""
        return int(self.scalar(_U64))

    def scalar(self, code: struct.Struct) -> Scalar:
        """One number of the given code."""
        self.need(code.size)
        value: Scalar = code.unpack_from(self.buffer, self.at)[0]
        self.at += code.size
        return value

    def scalars(self, code: struct.Struct, count: int) -> tuple[Scalar, ...]:
        """`count` numbers of one code."""
        self.need(code.size * count)
        values = struct.unpack_from(f"<{count}{code.format[1:]}", self.buffer, self.at)
        self.at += code.size * count
        return values

    def text(self) -> str:
        """A length and that many bytes of UTF-8; bytes that are no text become U+FFFD."""
        length = self.u64()
        self.need(length)
        start, self.at = self.at, self.at + length
        return bytes(self.buffer[start : self.at]).decode("utf-8", errors="replace")

    def skip(self, n_bytes: int) -> None:
        """Step over bytes that nobody reads."""
        self.need(n_bytes)
        self.at += n_bytes

    def skip_texts(self, count: int) -> None:
        """Step over `count` strings without decoding them: a vocabulary has 50 to 250 thousand."""
        self.need(8 * count)
        unpack, buffer, at, size = _U64.unpack_from, self.buffer, self.at, self.size
        for _ in range(count):
            if at + 8 > size:
                raise truncated(self.path)
            at += 8 + unpack(buffer, at)[0]
        if at > size:
            raise truncated(self.path)
        self.at = at


def truncated(path: Path) -> BadModelFile:
    """The error for a file that ends too early."""
    return BadModelFile(
        path,
        "is truncated: it ends before the data that its own header announces",
        "Download it again and compare its size with the source.",
    )
