"""The sha256 of large files, computed once for each state of a file."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import threading
from pathlib import Path

from workers.models.cache import cache_dir
from workers.models.errors import ModelError

_SPLIT = re.compile(r"^(?P<stem>.*)-\d{5}-of-(?P<count>\d{5})\.gguf$")
_LOG = logging.getLogger(__name__)


def file_hash(path: Path) -> str:
    """sha256 of a file in 64 hex digits; remembered by path, size and modification time (ns).

    Raises ModelError when the file cannot be read.
    """
    try:
        path = path.resolve()
        state = path.stat()
    except OSError as error:
        raise _unreadable(path, error) from None
    facts = {"path": str(path), "size": state.st_size, "mtime_ns": state.st_mtime_ns}
    note = cache_dir() / "hashes" / f"{hashlib.sha256(str(path).encode()).hexdigest()[:32]}.json"
    known = _read_note(note)
    if known is not None and {name: known.get(name) for name in facts} == facts:
        return str(known["sha256"])
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        after = path.stat()
    except OSError as error:
        raise _unreadable(path, error) from None
    # A file that is still being written must not be remembered under its unfinished content.
    if (after.st_size, after.st_mtime_ns) == (state.st_size, state.st_mtime_ns):
        _write_note(note, {**facts, "sha256": found})
    return found


def content_hash(path: Path) -> str:
    """The hash of a model: of its file, or of the hashes of all parts of a split one."""
    parts = split_parts(path)
    if len(parts) == 1:
        return file_hash(path)
    return hashlib.sha256("\n".join(file_hash(part) for part in parts).encode()).hexdigest()


def split_parts(path: Path) -> tuple[Path, ...]:
    """All files of a model by llama.cpp's naming of split ones; one file for the others."""
    split = _SPLIT.match(path.name)
    if split is None:
        return (path,)
    count = int(split["count"])
    return tuple(
        path.with_name(f"{split['stem']}-{number:05d}-of-{count:05d}.gguf")
        for number in range(1, count + 1)
    )


def _unreadable(path: Path, error: OSError) -> ModelError:
    return ModelError(
        f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions."
    )


def _read_note(note: Path) -> dict[str, object] | None:
    """What was remembered; None where nothing was, or nothing that can be read any more."""
    try:
        known = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) and isinstance(known.get("sha256"), str) else None


def _write_note(note: Path, facts: dict[str, object]) -> None:
    """Remembers; a cache that cannot be written costs time, not correctness, so it only warns."""
    part = note.with_name(f".{note.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(facts), encoding="utf-8")
        part.replace(note)
    except OSError as error:
        _LOG.warning("the hash of %s cannot be remembered: %s", facts["path"], error)
