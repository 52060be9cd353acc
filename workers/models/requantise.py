"""Another quantisation of a model, made once on this host with llama.cpp's quantizer."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

from workers.models.cache import make_once
from workers.models.child import ChildEnd, run_child
from workers.models.errors import ModelError

QUANTIZER = "llama-cpp-python"


def quantizer_version() -> str:
    """The version of the package whose libllama quantises; its output may change with it."""
    return metadata.version(QUANTIZER)


def requantise(source: Path, ftype: str, target: Path, size: int) -> Path:
    """`target`, made from `source` if it is not there: `ftype` as in LLAMA_FTYPE_MOSTLY_*.

    `size` is its expected size in bytes. Raises ModelError with the quantizer's last words.
    """
    return make_once(target, size, lambda part: _quantise(source, ftype, part, target))


def _quantise(source: Path, ftype: str, part: Path, target: Path) -> None:
    # Beside the target, so that a failure can be read afterwards; a success removes it.
    log = target.with_name(f"{target.stem}.quantize.log")
    log.unlink(missing_ok=True)
    request = {
        "source": str(source),
        "target": str(part),
        "ftype": ftype,
        "threads": os.cpu_count() or 1,
    }
    end = run_child("workers.models.quantizer", request, log, lambda message: None)
    if end.returncode != 0 or not part.is_file():
        raise ModelError(
            f"{source.name} cannot be requantised to {ftype} ({end.words}): {_reason(end)}.",
            f"The quantizer's log is {log}.",
        )
    log.unlink(missing_ok=True)


def _reason(end: ChildEnd) -> str:
    """The line that says what went wrong, as far as the quantizer said it."""
    lines = [line.strip() for line in end.log_tail.splitlines() if line.strip()]
    named = (line for line in reversed(lines) if "failed" in line or "rror" in line)
    return next(named, lines[-1] if lines else "it said nothing").rstrip(".")[:300]
