"""Files that a command leaves: looked at before the work, so that hours of it are not lost."""

from __future__ import annotations

import os
from pathlib import Path

from workers.contract.errors import OrchestrateError


class OutputError(OrchestrateError):
    """A file that cannot be written."""


def check_file(path: Path) -> None:
    """Raises OutputError unless a file can be written there."""
    if path.is_dir():
        raise OutputError(f"{path} is a directory.", "Name a file in it.")
    if not path.parent.is_dir():
        raise OutputError(f"the directory {path.parent} does not exist.", "Create it first.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise OutputError(f"{path} cannot be written.", "Name another file.")


def make_directory(path: Path) -> Path:
    """The directory, absolute, made where it is missing. Raises OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "a file is in its way" if path.exists() else error.strerror
        raise OutputError(
            f"the directory {path} cannot be made: {reason}.", "Name another one."
        ) from None
    return path.absolute()


def write_text(path: Path, text: str) -> None:
    """Writes a file. Raises OutputError."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file. Raises OutputError."""
    check_file(path)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}.") from None
