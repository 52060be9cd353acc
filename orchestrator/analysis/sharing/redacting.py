"""A sweep without what says whose machine it was measured on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePath
from typing import TypeVar

from db.codec import from_json, to_json
from db.whole import WholeSweep
from orchestrator.analysis.redact import GONE, Redactor

T = TypeVar("T")
_SCHEME = re.compile(r"(builtin|hf):")


def redactor_of(whole: WholeSweep) -> Redactor:
    """Model files become models/NAME, engines engines/NAME: where the script looks for them."""
    hosts = {name for host in whole.hosts for name in (host.host, *(r.host for r in host.rigs))}
    cards = {c.uuid for host in whole.hosts for rig in host.rigs for c in rig.cards if c.uuid}
    instead = _model_places(whole) | _engine_places(whole) | dict.fromkeys(cards, GONE)
    return Redactor.of(sorted(hosts), _other_paths(whole), instead)


def redacted(value: T, redactor: Redactor) -> T:
    """The same dataclass with every text in it redacted."""
    return from_json(type(value), redactor.data(to_json(value)))


def _model_places(whole: WholeSweep) -> dict[str, str]:
    """One place for each model, however it is referred to."""
    places: dict[str, str] = {}
    seen: dict[str, int] = defaultdict(int)
    for host in whole.hosts:
        for model in host.models:
            # A file in the working directory, or of a scheme, says nothing about anybody.
            names = [n for n in (model.path, model.reference) if "/" in n or "\\" in n]
            names = [name for name in names if not _SCHEME.match(name)]
            new = [name for name in names if name not in places]
            if not new:
                continue
            file = PurePath(model.path or model.reference).name
            known = next((places[name] for name in names if name in places), None)
            if known is None:
                seen[file] += 1
                number = f"{seen[file]}/" if seen[file] > 1 else ""
                known = f"models/{number}{file}"
            places |= dict.fromkeys(new, known)
    return places


def _engine_places(whole: WholeSweep) -> dict[str, str]:
    engines = whole.space.get("engines", {})
    paths = {name: engine.get("path") for name, engine in engines.items()}
    return {path: f"engines/{name}" for name, path in paths.items() if path and "/" in path}


def _other_paths(whole: WholeSweep) -> Iterator[str]:
    for host in whole.hosts:
        for engine in host.engines:
            yield from (build.path for build in engine.builds if "/" in build.path)
    for job in whole.jobs:
        outcome = job.completed or job.failed
        if outcome is not None:
            yield from (launch.log_path for launch in outcome.trace.launches if launch.log_path)
