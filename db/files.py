"""Whether a file can be an SQLite database here. Each refusal is one sentence and a next step."""

from __future__ import annotations

import os
from pathlib import Path

from db.errors import DatabaseError

_MAGIC = b"SQLite format 3\0"

# Locks and the shared memory of SQLite's write-ahead log do not work over these.
NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "fuse.sshfs", "fuse.rclone"}
)


def check_file(path: Path, *, read_only: bool) -> None:
    """Raises DatabaseError unless the file is, or can become, an SQLite database."""
    _check_kind(path)
    _check_exists(path, read_only)
    _check_network(path)
    _check_content(path)
    if not read_only:
        _check_writable(path)


def writable_directory(path: Path) -> bool:
    """Whether SQLite could put its -wal and -shm files beside the database."""
    return os.access(path.parent, os.W_OK | os.X_OK, effective_ids=_effective())


def _effective() -> bool:
    return os.access in os.supports_effective_ids


def _check_kind(path: Path) -> None:
    if path.is_dir():
        raise DatabaseError(
            f"{path} is a directory.", f"Name a file in it: {path / 'orchestrate.db'}."
        )
    if path.exists() and not path.is_file():
        raise DatabaseError(f"{path} is not a regular file.", "Name another file.")


def _check_exists(path: Path, read_only: bool) -> None:
    if not path.parent.is_dir():
        raise DatabaseError(
            f"the directory {path.parent} does not exist.", "Create it, or name another file."
        )
    if read_only and not path.exists():
        raise DatabaseError(
            f"there is no database at {path}.", "Run a sweep first: orchestrate sweep."
        )


def _check_content(path: Path) -> None:
    """An empty file may become a database; any other must be one already."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise DatabaseError(
            f"{path} cannot be read: {error.strerror}.", "Change its permissions."
        ) from None
    if head and head != _MAGIC:
        raise DatabaseError(f"{path} is not an SQLite database.", "Name another file.")


def _check_writable(path: Path) -> None:
    if path.exists() and not os.access(path, os.W_OK, effective_ids=_effective()):
        raise DatabaseError(
            f"{path} cannot be written.", "Change its permissions, or name another file."
        )
    if not writable_directory(path):
        raise DatabaseError(
            f"the directory {path.parent} cannot be written.",
            "SQLite keeps its log beside the database: change the permissions, or name a file "
            "in another directory.",
        )


def _check_network(path: Path) -> None:
    kind = file_system(path)
    if kind is not None and kind in NETWORK | {"drvfs"}:
        raise DatabaseError(
            f"{path} is on a network file system ({kind}), where SQLite loses data.",
            "Name a file on a local disk, or use PostgreSQL: postgresql+psycopg://HOST/NAME.",
        )


def file_system(path: Path) -> str | None:
    """The type of the file system that holds a path, None where the host does not say.

    The longest mount point above the path wins; of two on one point, the later one.
    """
    import psutil

    best: tuple[int, str] | None = None
    above = {path.resolve(), *path.resolve().parents}
    for partition in psutil.disk_partitions(all=True):
        point = Path(partition.mountpoint)
        if point in above and (best is None or len(point.parts) >= best[0]):
            # A Windows drive inside WSL is 9p to the kernel, and told apart by its options.
            kind = "drvfs" if "drvfs" in partition.opts else partition.fstype
            best = (len(point.parts), kind.lower())
    return best[1] if best else None
