"""Looking at a candidate's files before an engine does.

An engine that cannot open its model exits at once, and llama.cpp logs from a thread of its own:
on a busy machine the reason is sometimes lost with it.
"""

from __future__ import annotations

from pathlib import Path

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import Assets, EngineError

_MAGIC = b"GGUF"


def check_files(assets: Assets, phase: Phase) -> None:
    """Raises EngineError (bad_model_file) for a file that is missing or is no GGUF file."""
    for path in (assets.model, assets.drafter):
        if path is not None and (problem := _problem(path)):
            diagnosis = Diagnosis(
                kind=FailureKind.BAD_MODEL_FILE,
                evidence=f"{path} {problem}",
                advice="Check the reference in the space; download the file again if it is broken.",
                deterministic=True,
            )
            raise EngineError(diagnosis, phase)


def _problem(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if head == _MAGIC:
        return None
    if head.startswith(b"vers"):  # "version https://git-lfs..."
        return "is a Git LFS pointer, not the model itself"
    return "is not a GGUF file"
