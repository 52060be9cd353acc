"""From somebody else's bundle to a sweep, or one sentence about what is wrong with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from db.codec import from_json
from db.errors import DatabaseError
from db.spaces import space_from_json
from db.states import TrialState
from db.whole import WholeSweep
from orchestrator.analysis.sharing.archive_reading import read_archive
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
    for fault in _faults(whole):
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
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BundleError(f"{name} holds JSON that cannot be read.", _AGAIN) from None


def _faults(whole: WholeSweep) -> Iterator[str]:
    """References to what is not there would leave a database that nobody can read."""
    jobs = {job.id for job in whole.jobs}
    trials = {trial.id: trial for trial in whole.trials}
    if len(jobs) < len(whole.jobs) or len(trials) < len(whole.trials):
        yield "a job or a trial is in it twice"
    if len({host.host for host in whole.hosts}) < len(whole.hosts):
        yield "a host is in it twice"
    numbers = [(trial.rig, trial.number) for trial in whole.trials if trial.number is not None]
    if len(set(numbers)) < len(numbers):
        yield "two trials of a rig have one number"
    for job in whole.jobs:
        outcome = job.completed or job.failed
        if (job.completed is None) == (job.failed is None) or outcome is None:
            yield f"the job {job.id!r} has no outcome, or two"
        elif any(result.memo_key not in job.memo.values() for result in outcome.results):
            yield f"the job {job.id!r} measured what it was not asked for"
    for trial in whole.trials:
        origin = trials.get(trial.same_as) if trial.same_as is not None else None
        if trial.same_as is not None and (origin is None or origin.same_as is not None):
            yield f"the trial {trial.id} is the same as one that is not in it"
        if trial.failed_by is not None and trial.failed_by not in jobs:
            yield f"the trial {trial.id} failed by a job that is not in it"
        if trial.state is TrialState.WAITING:
            yield f"the trial {trial.id} has not ended"
