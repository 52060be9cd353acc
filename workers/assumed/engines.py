"""What builds can do that are not here: a help text of each kind, read as a probe reads it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from search_spaces.builds import BUILDS
from search_spaces.space import EngineRef
from workers.contract.reports import Build, Capabilities, EngineReport
from workers.dialects.choose import choose
from workers.engines.probe import capabilities_of
from workers.known_bugs.builds import build_number

HELP = Path(__file__).with_name("help")
# A fork that adds cache types to a generation of llama.cpp: its text, and the types.
_LIKE_ANOTHER = {"turboquant": ("legacy", ("turbo2", "turbo3", "turbo4"))}


@cache
def abilities(build: str) -> Capabilities:
    """What a build of this kind can do. `build` is one of `search_spaces.builds.BUILDS`."""
    text, more = _LIKE_ANOTHER.get(build, (build, ()))
    dialect = choose((HELP / f"{text}.txt").read_text(encoding="utf-8"))
    assert dialect is not None, f"{text}.txt is the help of a llama-server"
    found = capabilities_of(dialect, ("CUDA0: assumed",), "", None)
    return replace(
        found,
        kv_types=(*found.kv_types, *more),
        draft_kv_types=(*found.draft_kv_types, *more),
        notes=("assumed, not probed",),
    )


def assumed_engine(name: str, ref: EngineRef) -> EngineReport:
    """The report of an engine that nobody looked for; its problem where nothing says what it is."""
    if ref.like is None:
        return EngineReport(
            name,
            ref.kind,
            problem=f"nothing says what kind of build engine {name!r} is: add like: to it under "
            f"engines ({', '.join(BUILDS)})",
        )
    known = BUILDS[ref.like]
    version = name if build_number(name) else known.version  # an engine called b9551 is that build
    label = " ".join(part for part in (known.project, version, "(assumed)") if part)
    builds = tuple(
        Build(role, label, f"assumed-{name}-{role}", path="") for role in ("server", "logits")
    )
    return EngineReport(name, ref.kind, builds, abilities(ref.like))
