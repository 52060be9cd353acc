"""What a build is: the hash of the code that makes the numbers, whatever its name."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

_LIBRARY_ENDINGS = (".so", ".dylib", ".dll", ".pyd")


def file_sha256(path: Path) -> str:
    """Hash of a file's content; computed once for each size and time of change."""
    stat = path.stat()
    return _file_sha256(str(path), stat.st_size, stat.st_mtime_ns)


@functools.lru_cache(maxsize=256)
def _file_sha256(path: str, _size: int, _mtime_ns: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_sha256(files: Iterable[Path]) -> str:
    """One hash of several files' names and contents, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted({file.resolve() for file in files}, key=lambda file: file.name):
        total.update(f"{path.name} {file_sha256(path)}\n".encode())
    return total.hexdigest()


def is_library(path: Path) -> bool:
    """Whether a file is a shared library by its name (`libggml.so.0.26.0` is one)."""
    name = path.name.lower()
    return name.endswith(_LIBRARY_ENDINGS) or ".so." in name


def libraries_in(folder: Path) -> list[Path]:
    """The shared libraries that lie in a folder; none where it does not exist."""
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_file() and is_library(path)]
