"""The engine must be there, and must know what the candidate asks for."""

from __future__ import annotations

from orchestrator.sweeping.rules.base import Ground
from search_spaces.builds import BUILDS
from search_spaces.candidate import Candidate
from search_spaces.names import did_you_mean


def engine_usable(ground: Ground, candidate: Candidate) -> str | None:
    """An engine that was not found, or cannot run here, excludes its candidates."""
    report = ground.engine(candidate)
    if report is None:
        return f"engine {candidate.engine!r} was not found on {ground.host.host}"
    return None if report.problem is None else _with_advice(ground, candidate, report.problem)


def _with_advice(ground: Ground, candidate: Candidate, problem: str) -> str:
    """What is wrong with the engine, and where to get one, as far as the space says what it is."""
    ref = ground.space.engines.get(candidate.engine)
    if ref is None or ref.like is None or ground.rig.simulated:
        return problem
    build = BUILDS[ref.like]
    others = [
        engine.name
        for engine in ground.host.engines
        if engine.problem is None and engine.name != candidate.engine
    ]
    without = f" Without it, the candidates of {', '.join(others)} can run." if others else ""
    return (
        f"engine {candidate.engine!r} cannot be used: {problem.rstrip('.')}. It is "
        f"{build.project}: {build.how}, and name it under engines.{candidate.engine}.path.{without}"
    )


def kv_types_known(ground: Ground, candidate: Candidate) -> str | None:
    """A KV type that the build does not list would fail at launch."""
    report = ground.engine(candidate)
    known = report.capabilities if report else None
    if known is None or not known.kv_types:
        return None
    for kind in (candidate.kv_k, candidate.kv_v):
        if kind not in known.kv_types:
            return f"engine {candidate.engine!r} has no KV type {kind!r}. " + did_you_mean(
                kind, known.kv_types
            )
    for draft_kind in (candidate.draft_kv_k, candidate.draft_kv_v):
        if draft_kind is not None and draft_kind not in known.draft_kv_types:
            return f"engine {candidate.engine!r} has no KV type {draft_kind!r} for the drafter"
    return None


def spec_types_known(ground: Ground, candidate: Candidate) -> str | None:
    """A kind of speculation that the build does not list would fail, or be ignored."""
    report = ground.engine(candidate)
    known = report.capabilities if report else None
    if known is None or not candidate.drafts or not known.spec_types:
        return None
    kinds = candidate.spec.split(",")
    for kind in kinds:
        if kind not in known.spec_types:
            return f"engine {candidate.engine!r} has no speculation {kind!r}. " + did_you_mean(
                kind, known.spec_types
            )
    if len(kinds) > 1 and not known.combines_specs:
        return f"engine {candidate.engine!r} takes one kind of speculation at a time"
    return None
