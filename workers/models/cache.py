"""Where things are kept between runs, and how a file gets there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from workers.contract.errors import OrchestrateError
from workers.models.errors import ModelError

CACHE_VARIABLE = "ORCHESTRATE_CACHE"
_SPARE = 64 * 2**20  # bytes left free on the disk: a full disk breaks more than this file


def cache_dir() -> Path:
    """The user's cache directory, or what ORCHESTRATE_CACHE names; made when first asked for.

    Raises ModelError when it cannot be made.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        path = Path(named).expanduser().absolute()
    else:
        import platformdirs

        path = Path(platformdirs.user_cache_dir("orchestrate"))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelError(
            f"The cache directory {path} cannot be made: {error.strerror}.",
            f"Name a writable one with {CACHE_VARIABLE}.",
        ) from None
    return path


def make_once(target: Path, size: int, make: Callable[[Path], None]) -> Path:
    """Returns `target`, made by `make(path of a part file)` if it is not there yet.

    Only one process makes it, the others wait; the name appears when the file is complete.
    `size` is how many bytes it will take, about. Raises ModelError when the disk is too small
    or the directory not writable; what `make` raises goes through.
    """
    if target.is_file():
        return target
    import filelock

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(target.with_name(f".{target.name}.lock")):
            if not target.is_file():
                _make(target, size, make)
    except OrchestrateError:
        raise
    except OSError as error:
        raise ModelError(
            f"{target.name} cannot be written to {target.parent}: {error.strerror or error}.",
            f"Free some space, or name another directory with {CACHE_VARIABLE}.",
        ) from None
    return target


def _make(target: Path, size: int, make: Callable[[Path], None]) -> None:
    """Makes the file; the caller holds its lock, so a part file found here is a dead one's."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    require_space(target.parent, size, target.name)
    try:
        make(part)
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def require_space(directory: Path, size: int, what: str) -> None:
    """Raises ModelError when `directory` has no room for `size` bytes and a little more."""
    free = shutil.disk_usage(directory).free
    if free < size + _SPARE:
        raise ModelError(
            f"{what} needs {size / 2**20:.0f} MiB in {directory}, "
            f"and {free / 2**20:.0f} MiB are free.",
            f"Free some space, or name another directory with {CACHE_VARIABLE}.",
        )
