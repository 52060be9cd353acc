"""What binaries said, remembered by their hash: in files, so that a sweep's start is quick."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from workers.contract.errors import OrchestrateError

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Texts:
    """The raw answers: reading them better later needs no new probe."""

    help: str
    version: str


def read(sha256: str) -> Texts | None:
    """What was remembered; None where nothing was, or nothing readable."""
    try:
        found = json.loads(_file(sha256).read_text(encoding="utf-8"))
        return Texts(str(found["help"]), str(found["version"]))
    except (OSError, ValueError, KeyError, TypeError, OrchestrateError):
        return None


def write(sha256: str, texts: Texts) -> None:
    """Remembers. Without a writable cache the next start asks again, which is only slower."""
    try:
        path = _file(sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(asdict(texts)), encoding="utf-8")
        part.replace(path)
    except (OSError, OrchestrateError) as error:
        _LOG.warning("what the engine said cannot be remembered: %s", error)


def _file(sha256: str) -> Path:
    from workers.models.cache import cache_dir

    return cache_dir() / "probes" / f"{sha256}.json"
