"""One engine per set of cores, and per card: claims that hold across processes.

Two llama servers on the same two cores took one from 74 to 2 tok/s. A claim is a file lock, so
the kernel frees it when its holder dies, however it dies.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from filelock import FileLock, Timeout

from workers.contract.errors import OrchestrateError
from workers.contract.reports import RigReport
from workers.models.cache import CACHE_VARIABLE, cache_dir


class Claim:
    """Exclusive use of a rig's cards (or of the host's cores) by this process."""

    def __init__(self, rig: RigReport) -> None:
        folder = cache_dir() / "claims"
        names = sorted(card.uuid for card in rig.cards) or ["cpu"]
        self._rig = rig.name
        self._paths = [folder / f"{name}.lock" for name in names]
        self._locks = [FileLock(path, timeout=0, thread_local=False) for path in self._paths]

    def take(self, within_s: float = 0.0) -> str | None:
        """None when claimed, else a sentence that says who holds the rig.

        `within_s` is how long to wait for a holder that may be dying. Raises OrchestrateError
        where no claim can be written.
        """
        for path, lock in zip(self._paths, self._locks, strict=True):
            holder = path.with_suffix(".json")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=within_s)
                holder.write_text(json.dumps({"pid": os.getpid()}))
            except Timeout:
                self.give_back()
                return (
                    f"Rig {self._rig} is in use by another sweep{_who(holder)}; two engines on one "
                    "rig spoil both measurements. Wait for it, or stop it."
                )
            except OSError as error:
                self.give_back()
                raise OrchestrateError(
                    f"Rig {self._rig} cannot be claimed in {path.parent}: "
                    f"{error.strerror or error}.",
                    f"Name a writable cache directory with {CACHE_VARIABLE}.",
                ) from None
        return None

    def give_back(self) -> None:
        """Frees what was claimed."""
        for lock in self._locks:
            lock.release(force=True)


def _who(holder: Path) -> str:
    try:
        return f" (process {json.loads(holder.read_text(encoding='utf-8'))['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
