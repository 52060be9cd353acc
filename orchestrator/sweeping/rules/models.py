"""The files must be there, whole, and fit one another."""

from __future__ import annotations

from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate


def model_found(ground: Ground, candidate: Candidate) -> str | None:
    """A missing or broken target excludes its candidates."""
    report = ground.model(candidate)
    if report is None:
        return f"model {candidate.model!r} was not found on {ground.host.host}"
    return report.problem


def drafter_found(ground: Ground, candidate: Candidate) -> str | None:
    """A kind of speculation with a drafter needs one that is there."""
    if not candidate.needs_drafter:
        return None
    if candidate.drafter is None:
        return f"{candidate.spec} needs a drafter; add drafter: to fixed or parameters"
    report = ground.drafter(candidate)
    if report is None:
        return f"drafter {candidate.drafter!r} was not found on {ground.host.host}"
    return report.problem


def drafter_matches(ground: Ground, candidate: Candidate) -> str | None:
    """A drafter for another vocabulary or architecture cannot draft for this target."""
    for pair in ground.host.bad_pairs:
        if (pair.model, pair.drafter) == (candidate.model, candidate.drafter):
            return pair.problem
    return None


def ctx_within_model(ground: Ground, candidate: Candidate) -> str | None:
    """A context longer than the model was trained for gives text that means nothing."""
    target = ground.model(candidate)
    limit = target.header.get("n_ctx_train") if target else None
    if isinstance(limit, int) and candidate.ctx > limit > 0:
        return f"ctx {candidate.ctx} is above the model's limit of {limit}; use a smaller ctx"
    return None
