"""No room on the disk: logs, saved logits, downloads, or Ray's object store.

Wordings: errno 28 and its Windows twin, quotas, llama.cpp's writers, the Hugging Face hub.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_full = partial(pattern, FailureKind.DISK_FULL, deterministic=False)

_FREE = "The disk is full: free space (saved logits and the download cache are the largest)."

PATTERNS = (
    _full(
        r"No space left on device|\bENOSPC\b|Errno 28\b|WinError 112\b"
        r"|not enough space on the disk|disk quota exceeded|\bEDQUOT\b|Errno 122\b|\bdisk full\b"
        r"|disk is full|Not enough free disk space|database or disk is full|out of disk space",
        "disk",
        _FREE,
        Level.DECISIVE,
    ),
    _full(
        r"unexpectedly failed to write bytes|write error: |failed to write GGUF data"
        r"|error writing to file|Cannot write to ['‘]",
        "write_failed",
        "A file could not be written: check free space and permissions of its folder.",
        Level.HINT,
    ),
)
