"""What a bundle is: an archive of one sweep that says of each of its files what is in it."""

from __future__ import annotations

from dataclasses import dataclass

from workers.contract.errors import OrchestrateError

FORMAT = 1
KIND = "orchestrate bundle"
MANIFEST, SWEEP = "manifest.json", "sweep.json"

# What is read of a bundle, whoever made it; what is written keeps to the same. In bytes.
MOST_FILES = 20_000
MOST_IN_A_FILE = 128 * 1024**2
MOST_IN_ALL = 512 * 1024**2
MOST_OF_A_LOG = 16 * 1024
MOST_OF_LOGS = 32 * 1024**2


class BundleError(OrchestrateError):
    """A bundle that cannot be made, or that is not what it says it is."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file of a bundle: its size in bytes and its sha256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The first thing to look at: `files` lists every other file, by name.

    `format` grows with every change that an older version could misread.
    """

    kind: str
    format: int
    orchestrate: str
    files: dict[str, FileFacts]
