"""What a GGUF file says about itself, before anybody interprets it.

The `gguf` library's reader makes numpy views of every token and merge: 2.3 s for a vocabulary
of 49 thousand, about ten for one of 250 thousand. This one steps over long arrays (60 ms for
the same file), checks every bound, and leaves tensor data untouched. Constants that change
with the format (block sizes of the quantizations) still come from the library.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workers.gguf_files.cursor import ARRAY, SCALARS, STRING, Cursor, Scalar, truncated
from workers.gguf_files.errors import BadModelFile

_NO_GGUF_HINT = "Give a model in GGUF format (a .gguf file, version 2 or later)."
_LONGEST_DECODED = 4096  # per-layer arrays are short; token scores and types are not
_MAX_DIMS = 4  # GGML_MAX_DIMS


@dataclass(frozen=True, slots=True)
class Span:
    """A long array, left where it is: its element count and its bytes `start:end`."""

    count: int
    start: int
    end: int


Value = Scalar | str | tuple[Scalar, ...] | Span


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One entry of the tensor table; `offset` counts from the start of the data, in bytes."""

    name: str
    dims: tuple[int, ...]
    type_id: int
    offset: int


@dataclass(frozen=True, slots=True)
class RawGguf:
    """One file: metadata, tensor table, where tensor data starts, and the mapped bytes."""

    path: Path
    metadata: Mapping[str, Value]
    tensors: tuple[TensorInfo, ...]
    data_start: int
    alignment: int
    buffer: mmap.mmap

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return len(self.buffer)


@contextlib.contextmanager
def open_raw(path: Path) -> Iterator[RawGguf]:
    """Map a file and read its header; the bytes are valid inside the `with` block only."""
    _check_is_file(path)
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield _parse(path, data)
    except OSError as error:
        fault = f"cannot be read ({error.strerror or error})"
        raise BadModelFile(path, fault, "Check its permissions and the disk.") from error


def _check_is_file(path: Path) -> None:
    if path.is_dir():
        raise BadModelFile(path, "is a directory", "Name one .gguf file inside it.")
    if not path.exists():
        raise BadModelFile(path, "does not exist", "Check the path or download the model first.")
    if not path.is_file():
        raise BadModelFile(path, "is not a regular file", _NO_GGUF_HINT)
    if path.stat().st_size == 0:
        raise BadModelFile(path, "is empty", "Download it again; the last try wrote nothing.")


def _parse(path: Path, data: mmap.mmap) -> RawGguf:
    cursor = Cursor(path, data)
    if data[:4] != b"GGUF":
        raise BadModelFile(path, "is not a GGUF file", _NO_GGUF_HINT)
    cursor.at = 4
    _check_version(path, cursor.u32())
    n_tensors, n_pairs = cursor.u64(), cursor.u64()
    # 13: the shortest pair is an empty key (8), a type (4) and one byte. 24: likewise a tensor.
    cursor.need(13 * n_pairs + 24 * n_tensors)
    metadata: dict[str, Value] = {}
    for _ in range(n_pairs):
        key = cursor.text()
        if key in metadata:
            raise _corrupt(path, f"the key {key!r} appears twice")
        metadata[key] = _value(cursor)
    tensors = tuple(_tensor(cursor) for _ in range(n_tensors))
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or alignment <= 0 or alignment & (alignment - 1):
        raise _corrupt(path, "its alignment is not a power of two")
    data_start = cursor.at + -cursor.at % alignment
    if n_tensors and data_start > len(data):
        raise truncated(path)
    return RawGguf(path, metadata, tensors, data_start, alignment, data)


def _check_version(path: Path, version: int) -> None:
    if version & 0xFFFF == 0:
        raise BadModelFile(path, "was written for big-endian machines", "Convert it again here.")
    if version < 2 or version > 3:
        raise BadModelFile(path, f"is GGUF version {version}, which is unknown", _NO_GGUF_HINT)


def _value(cursor: Cursor) -> Value:
    type_id = cursor.u32()
    if type_id == STRING:
        return cursor.text()
    if type_id in SCALARS:
        return cursor.scalar(SCALARS[type_id])
    if type_id != ARRAY:
        raise _corrupt(cursor.path, f"value type {type_id} does not exist")
    item_type, count, start = cursor.u32(), cursor.u64(), cursor.at
    if item_type == STRING:
        cursor.skip_texts(count)
    elif item_type not in SCALARS:
        raise _corrupt(cursor.path, f"array type {item_type} does not exist")
    elif count <= _LONGEST_DECODED:
        return cursor.scalars(SCALARS[item_type], count)
    else:
        cursor.skip(SCALARS[item_type].size * count)
    return Span(count, start, cursor.at)


def _tensor(cursor: Cursor) -> TensorInfo:
    name, n_dims = cursor.text(), cursor.u32()
    if n_dims > _MAX_DIMS:
        raise _corrupt(cursor.path, f"tensor {name!r} has {n_dims} dimensions")
    dims = tuple(cursor.u64() for _ in range(n_dims))
    return TensorInfo(name, dims, cursor.u32(), cursor.u64())


def _corrupt(path: Path, what: str) -> BadModelFile:
    return BadModelFile(path, f"is corrupt: {what}", "Download it again.")
