"""Flags for numbers that a known bug of the build has touched."""

from __future__ import annotations

from pathlib import Path

from search_spaces.metrics import Facet
from workers.contract.model_header import ModelHeader
from workers.facets.setting import Setting
from workers.gguf_files.errors import BadModelFile
from workers.gguf_files.header import read_header
from workers.known_bugs.case import Case
from workers.known_bugs.match import flags
from workers.trace import Trace


def known_bugs_of(setting: Setting, trace: Trace, facet: Facet) -> tuple[str, ...]:
    """The flags for a facet, by what the engine really did."""
    assets, resolved = setting.assets, setting.job.resolved.with_effective(trace.effective)
    case = Case(
        candidate=resolved.candidate,
        engine=setting.report,
        rig=setting.rig,
        target=_header(assets.model),
        drafter=_header(assets.drafter) if assets.drafter else None,
        role=facet.build_role,
    )
    return flags(case, facet)


def _header(path: Path) -> ModelHeader | None:
    """None for a file that only an engine can read: bugs that ask for it are then not claimed."""
    try:
        return read_header(path)
    except BadModelFile:
        return None
