"""The reference's logits, kept so that each is evaluated once for all that is compared to it.

A file holds float32 (chunks, scored, vocabulary) in this order and nothing else; its name is a
hash of everything the numbers depend on. All files together stay under a limit: the one not
used for the longest time goes first. Without room the reference is simply evaluated again.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
Shape = tuple[int, int, int]
_END = ".logits"


class ReferenceStore:
    """Either holds all chunks (`stored`), or takes them in order, or (no room) drops them."""

    def __init__(self, path: Path, shape: Shape, limit: int) -> None:
        self._path, self._shape = path, shape
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._writing: BinaryIO | None = None
        self._written = 0
        size = int(np.prod(shape, dtype=np.int64)) * 4
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_dead_parts(path.parent)
        self.stored: Rows | None = None
        if path.is_file() and path.stat().st_size == size:
            os.utime(path)  # used now: others go before it
            self.stored = np.memmap(path, np.float32, "r", shape=shape)
        elif _make_room(path.parent, size, limit):
            self._writing = self._part.open("wb")

    def keep(self, rows: Rows) -> None:
        """Takes the next chunks; stops keeping any when the disk refuses."""
        if self._writing is None:
            return
        try:
            self._writing.write(np.ascontiguousarray(rows).data)
            self._written += len(rows)
        except OSError as error:
            print(f"reference logits are not kept: {error}", file=sys.stderr)
            self.close()

    def close(self) -> None:
        """Keeps the file if it holds every chunk, and removes it otherwise."""
        if self._writing is None:
            return
        try:
            self._writing.close()
            if self._written == self._shape[0]:
                self._part.replace(self._path)
        finally:
            self._writing = None
            self._part.unlink(missing_ok=True)


def _make_room(directory: Path, size: int, limit: int) -> bool:
    """Whether `size` bytes fit under the limit and half of the free disk, after old files went."""
    if size > limit:
        return False
    by_age = sorted(directory.glob(f"*{_END}"), key=lambda path: path.stat().st_mtime)
    taken = sum(path.stat().st_size for path in by_age)
    while by_age and taken + size > limit:
        oldest = by_age.pop(0)
        taken -= oldest.stat().st_size
        oldest.unlink(missing_ok=True)
    return 2 * size <= shutil.disk_usage(directory).free


def _remove_dead_parts(directory: Path) -> None:
    """What killed children left behind."""
    for part in directory.glob(f".*{_END}.*.part"):
        pid = part.name.split(".")[-2]
        if pid.isdecimal() and not _alive(int(pid)):
            part.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        return True
    return False
