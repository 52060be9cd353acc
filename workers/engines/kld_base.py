"""The reference's log-probabilities as llama-perplexity writes them, kept between candidates.

Layout (perplexity.cpp): "_logits_", then int32 n_ctx, n_vocab, n_chunk, then the tokens, then
for each scored token 2*((n_vocab+1)/2)+4 numbers of 16 bits: 25 MB a chunk of 512 tokens for a
vocabulary of 49,152, three times that for a large one.
"""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import EngineError
from workers.engines.perplexity_output import scored_tokens

LIMIT_VARIABLE = "ORCHESTRATE_KLD_BASE_MIB"
_LIMIT_MIB = 16_384
_MIB = 1 << 20
_HEADER = struct.Struct("<8siii")
_END = ".kld-base"


@dataclass(frozen=True, slots=True)
class KldBase:
    """A folder of such files, together at most `limit` bytes: the longest unused one goes."""

    folder: Path
    limit: int

    @classmethod
    def of_user(cls) -> KldBase:
        """The one in the cache directory; ORCHESTRATE_KLD_BASE_MIB sets another limit."""
        from workers.models.cache import cache_dir

        limit = int(os.environ.get(LIMIT_VARIABLE) or _LIMIT_MIB) * _MIB
        return cls(cache_dir() / "kld-base", limit)

    def get(self, key: str, make: Callable[[Path, Callable[[], None]], None]) -> Path:
        """The file of a key, made by `make(part, watch)` where there is none yet.

        `watch` must be called while the part is written: it raises EngineError once the part's
        header announces more than there is room for. Only one process makes a file.
        """
        import filelock

        self.folder.mkdir(parents=True, exist_ok=True)
        target = self.folder / f"{key}{_END}"
        with filelock.FileLock(self.folder / f".{key}.lock"):
            if not _is_whole(target):
                part = self.folder / f".{key}.part"
                part.unlink(missing_ok=True)
                try:
                    make(part, _Room(part, self).check)
                    part.replace(target)
                finally:
                    part.unlink(missing_ok=True)
        os.utime(target)  # used now: others go before it
        return target

    def make_room(self, size: int) -> None:
        """Drops the longest unused files until `size` bytes fit. Raises EngineError."""
        if size > self.limit:
            raise _too_large(size, self.limit)
        by_age = sorted(self.folder.glob(f"*{_END}"), key=lambda path: path.stat().st_mtime)
        while by_age and size + sum(path.stat().st_size for path in by_age) > self.limit:
            by_age.pop(0).unlink(missing_ok=True)
        if size > (free := shutil.disk_usage(self.folder).free):
            raise _no_room(size, free, self.folder)


class _Room:
    """Checks once, as soon as the header of a part is there."""

    def __init__(self, part: Path, base: KldBase) -> None:
        self._part, self._base, self._checked = part, base, False

    def check(self) -> None:
        if not self._checked and (size := announced_size(self._part)) is not None:
            self._checked = True
            self._base.make_room(size)


def announced_size(path: Path) -> int | None:
    """How many bytes a file will have when it is whole; None while it has no header."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER.size)
    except FileNotFoundError:
        return None
    if len(head) < _HEADER.size:
        return None
    magic: bytes
    n_ctx: int
    n_vocab: int
    n_chunk: int
    magic, n_ctx, n_vocab, n_chunk = _HEADER.unpack(head)
    if magic != b"_logits_" or min(n_ctx, n_vocab, n_chunk) <= 0:
        return None
    row = 2 * ((n_vocab + 1) // 2) + 4
    return _HEADER.size + 4 * n_ctx * n_chunk + 2 * row * scored_tokens(n_ctx) * n_chunk


def _is_whole(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == announced_size(path)


def _too_large(size: int, limit: int) -> EngineError:
    diagnosis = Diagnosis(
        kind=FailureKind.INVALID_CONFIG,
        evidence=(
            f"the reference's probabilities need {size / _MIB:,.0f} MiB on disk and the limit "
            f"is {limit / _MIB:,.0f} MiB"
        ),
        advice=f"Measure fewer chunks, or raise the limit with {LIMIT_VARIABLE}.",
        deterministic=True,
    )
    return EngineError(diagnosis, Phase.DIVERGENCE)


def _no_room(size: int, free: int, folder: Path) -> EngineError:
    diagnosis = Diagnosis(
        kind=FailureKind.DISK_FULL,
        evidence=(
            f"the reference's probabilities need {size / _MIB:,.0f} MiB in {folder} and "
            f"{free / _MIB:,.0f} MiB are free"
        ),
        advice="Free some space, measure fewer chunks, or name another cache directory.",
        deterministic=False,
    )
    return EngineError(diagnosis, Phase.DIVERGENCE)
