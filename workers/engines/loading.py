"""Big weights are read from a disk by one engine of a host at a time.

Two engines that read 20 GB each from one disk take longer than one after the other, and both
load times mean nothing. Small models are in the page cache after their first launch, so they do
not wait. The lock is a file's, so the kernel frees it when its holder dies, however it dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from workers.engines.health import weight_of
from workers.models.cache import cache_dir

BIG = 0.25  # of the host's memory: what is larger will not stay in the page cache beside others


@contextmanager
def one_at_a_time(
    files: Iterable[Path | None], memory_mib: int, patience_s: float
) -> Iterator[None]:
    """Holds the turn of every disk that these files lie on, where together they are big.

    `patience_s` bounds the waiting for each disk: then the load begins all the same, because an
    engine that hangs while it loads must not keep the others from working.
    """
    there = [file for file in files if file is not None and file.exists()]
    with ExitStack() as held:
        if weight_of(there) > BIG * memory_mib * 2**20:
            # In one order everywhere, so that no two loads wait for each other.
            for disk in sorted({file.stat().st_dev for file in there}):
                _take(held, disk, patience_s)
        yield


def _take(held: ExitStack, disk: int, patience_s: float) -> None:
    folder = cache_dir() / "claims"
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / f"disk-{disk}.lock", timeout=patience_s, thread_local=False)
    try:
        held.enter_context(lock)
    except Timeout:
        return  # said above: waiting is bounded
