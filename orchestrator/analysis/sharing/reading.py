"""From somebody else's bundle to a sweep, or one sentence about what is wrong with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from db.codec import from_json
from db.errors import DatabaseError
from db.spaces import space_from_json
from db.whole import WholeSweep
from orchestrator.analysis.sharing.archive_reading import read_archive
from orchestrator.analysis.sharing.checking import faults, harmless
from orchestrator.analysis.sharing.format import (
    FORMAT,
    KIND,
    MANIFEST,
    SWEEP,
    BundleError,
    Manifest,
)

_AGAIN = "Ask for it again: it may have been cut off on its way, or changed."


@dataclass(frozen=True, slots=True)
class Incoming:
    """A sweep to be imported; `origin` is the hash of what it was read from."""

    whole: WholeSweep
    origin: str
    notes: tuple[str, ...] = ()


def read_bundle(path: Path) -> Incoming:
    """The sweep of a bundle. Nothing is written or run; raises BundleError."""
    files = read_archive(path)
    if MANIFEST not in files or SWEEP not in files:
        raise BundleError(f"{path.name} is no bundle of orchestrate.", "Name another file.")
    _check_files(path.name, _manifest(path.name, files[MANIFEST]), files)
    try:
        whole = from_json(WholeSweep, _json(path.name, files[SWEEP]))
        space_from_json(whole.space, whole.named_facets)
    except DatabaseError as error:
        raise BundleError(f"{path.name} cannot be read: {error.message}") from None
    for fault in faults(whole):
        raise BundleError(f"{path.name} contradicts itself: {fault}.")
    return Incoming(whole, hashlib.sha256(files[SWEEP]).hexdigest())


def _manifest(name: str, data: bytes) -> Manifest:
    facts = _json(name, data)
    if not isinstance(facts, dict) or facts.get("kind") != KIND:
        raise BundleError(f"{name} is no bundle of orchestrate.", "Name another file.")
    if facts.get("format") != FORMAT:
        raise BundleError(
            f"{name} is a bundle of format {facts.get('format')!r}, and this orchestrate reads "
            f"format {FORMAT}.",
            "Upgrade orchestrate.",
        )
    try:
        return from_json(Manifest, facts)
    except DatabaseError:
        raise BundleError(f"the manifest of {name} cannot be read.", _AGAIN) from None


def _check_files(name: str, manifest: Manifest, files: Mapping[str, bytes]) -> None:
    listed, there = set(manifest.files), set(files) - {MANIFEST}
    for file in sorted(listed - there):
        raise BundleError(f"{name} lacks {file!r}, which its manifest lists.", _AGAIN)
    for file in sorted(there - listed):
        raise BundleError(f"{name} holds {file!r}, which its manifest does not list.", _AGAIN)
    for file, facts in manifest.files.items():
        if hashlib.sha256(files[file]).hexdigest() != facts.sha256:
            raise BundleError(f"{file!r} in {name} is not what its manifest says.", _AGAIN)


def _json(name: str, data: bytes) -> Any:
    try:
        return harmless(json.loads(data))
    except (ValueError, RecursionError):
        raise BundleError(f"{name} holds JSON that cannot be read.", _AGAIN) from None
