"""disk_speed: how fast models will load."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.models.cache import cache_dir, require_space

_BYTES = 64 * 2**20
_BLOCK = 4 * 2**20
_SLOW_MIB_S = 150.0  # a model of 20 GB then takes more than two minutes at every launch


class DiskSpeed:
    """Catches a cache on a network share or a hard disk: every launch waits for it."""

    name = "disk_speed"
    looks_at = "writing and reading 64 MiB in the cache directory"

    def check(self, host: Host) -> Iterator[Finding]:
        """Where the system cannot be told to forget what it wrote, reading is not judged."""
        folder = cache_dir()
        require_space(folder, _BYTES, "the test file")
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".speed-") as file:
            block, began = os.urandom(_BLOCK), time.perf_counter()
            for _ in range(_BYTES // _BLOCK):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
            written = _rate(began)
            cold = hasattr(os, "posix_fadvise")
            if cold:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            began = time.perf_counter()
            file.seek(0)
            while file.read(_BLOCK):
                pass
            read = _rate(began)
        slow = cold and read < _SLOW_MIB_S
        reading = f"reads {read:,.0f} MiB/s" if cold else "reading was not judged"
        yield Finding(
            self.name,
            Severity.WARNING if slow else Severity.OK,
            Confidence.MEDIUM,
            f"{folder}: writes {written:,.0f} MiB/s, {reading}.",
            "Keep models on a local SSD (ORCHESTRATE_CACHE names the directory)." if slow else "",
        )


def _rate(began: float) -> float:
    """MiB/s since `began`."""
    return _BYTES / 2**20 / max(time.perf_counter() - began, 1e-9)


CHECK = DiskSpeed()
