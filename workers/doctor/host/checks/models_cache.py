"""models_cache: where models are kept, and whether there is room for more."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.models.cache import CACHE_VARIABLE, cache_dir

_GIB = 2.0**30
_LITTLE_GIB = 5.0  # less than one model of a few billion parameters


class ModelsCache:
    """Catches a cache without room, before a download of 20 GB finds out."""

    name = "models_cache"
    looks_at = "the cache directory: models in it, and free space"

    def check(self, host: Host) -> Iterator[Finding]:
        """Raises ModelError where the cache cannot be made."""
        folder = cache_dir()
        files = [path for path in folder.rglob("*.gguf") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / _GIB
        free = shutil.disk_usage(folder).free / _GIB
        short = free < _LITTLE_GIB
        yield Finding(
            self.name,
            Severity.WARNING if short else Severity.OK,
            Confidence.HIGH,
            f"{folder}: {len(files)} models, {size:.1f} GiB; {free:.1f} GiB free.",
            f"Free some space, or name another directory with {CACHE_VARIABLE}." if short else "",
        )


CHECK = ModelsCache()
