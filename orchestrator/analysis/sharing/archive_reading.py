"""Reading somebody else's archive: into memory, within limits, never onto the disk.

Links, devices, absolute and climbing names, a name twice, and more bytes than the limits allow
are refused. Sizes are counted while unpacking: what an archive says of itself is not believed.
"""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from orchestrator.analysis.sharing.format import (
    MOST_FILES,
    MOST_IN_A_FILE,
    MOST_IN_ALL,
    BundleError,
)

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_TAR_BLOCK = 512
# What the readers of the standard library raise for files that are not what they seem: an
# encrypted member is a RuntimeError (so is an unknown compression), a name that cannot be decoded
# a ValueError, a size beyond any file an OverflowError.
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
)


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is an archive of a kind that bundles come in."""
    return head.startswith((_GZIP, _ZIP))


def read_archive(path: Path) -> dict[str, bytes]:
    """Every file of a bundle by its name below the bundle's folder. Raises BundleError."""
    files: dict[str, bytes] = {}
    left = MOST_IN_ALL
    try:
        for name, data in _members(path):
            inner = _inner(name)
            left -= len(data)
            if inner in files:
                raise BundleError(f"{path.name} holds {inner!r} twice.")
            if len(files) >= MOST_FILES or left < 0:
                raise _too_much(path.name)
            files[inner] = data
    except _BROKEN as error:
        raise BundleError(
            f"{path.name} cannot be unpacked: {str(error) or type(error).__name__}.",
            "Ask for it again: it may have been cut off on its way.",
        ) from None
    return files


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    with path.open("rb") as file:
        if file.seek(0, 2) > MOST_IN_ALL:
            raise _too_much(path.name)
        file.seek(0)
        head = file.read(4)
        file.seek(0)
        if head.startswith(_ZIP):
            yield from _zip(path.name, file)
        else:
            yield from _tar(path.name, file)


def _zip(name: str, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            kind = info.external_attr >> 28  # the upper bits of a Unix mode: 8 is a plain file
            if info.is_dir():
                continue
            if kind not in (0, 8):
                raise _no_file(name, info.filename)
            with archive.open(info) as stream:
                yield info.filename, _limited(name, stream)


def _tar(name: str, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    # A stream: whatever is skipped (a header's extensions too) counts against the same limit.
    with gzip.GzipFile(fileobj=file) as plain:
        counted = _Counted(name, plain)
        with tarfile.open(fileobj=counted, mode="r|") as tar:
            for info in tar:
                if info.isdir():
                    continue
                if not info.isfile():
                    raise _no_file(name, info.name)
                stream = tar.extractfile(info)
                assert stream is not None, "a plain file has content"
                yield info.name, _limited(name, stream)


class _Counted(io.RawIOBase):
    """A stream that ends in a refusal after MOST_IN_ALL bytes and what a tar adds to them."""

    def __init__(self, name: str, stream: gzip.GzipFile) -> None:
        self._name, self._stream = name, stream
        self._left = MOST_IN_ALL + 4 * _TAR_BLOCK * MOST_FILES

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _too_much(self._name)
        return data


def _limited(name: str, stream: IO[bytes]) -> bytes:
    data = stream.read(MOST_IN_A_FILE + 1)
    if len(data) > MOST_IN_A_FILE:
        raise _too_much(name)
    return data


def _inner(name: str) -> str:
    """A name without the bundle's folder. Raises BundleError for one that leads elsewhere."""
    parts = PurePosixPath(name).parts
    if name.startswith("/") or "\\" in name or ".." in parts or ":" in name or "\0" in name:
        raise BundleError(
            f"the archive holds {name!r}, which leads out of it.", "Do not trust where it is from."
        )
    if len(parts) < 2:
        raise BundleError(f"the archive holds {name!r} outside of a folder: it is no bundle.")
    return "/".join(parts[1:])


def _no_file(name: str, inner: str) -> BundleError:
    return BundleError(
        f"{name} holds {inner!r}, which is no plain file.", "Do not trust where it is from."
    )


def _too_much(name: str) -> BundleError:
    return BundleError(
        f"{name} unpacks to more than {MOST_IN_ALL // 1024**2} MiB, or to a file of more than "
        f"{MOST_IN_A_FILE // 1024**2} MiB, or to more than {MOST_FILES} files.",
        "No bundle of ours is that large.",
    )
