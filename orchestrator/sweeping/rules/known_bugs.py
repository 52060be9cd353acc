"""Bugs that are known of a build: what certainly hits a candidate excludes it, the rest is said."""

from __future__ import annotations

from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from workers.known_bugs.case import Case
from workers.known_bugs.match import Finding, findings


def no_known_bug(ground: Ground, candidate: Candidate) -> str | None:
    """A launch that would fail, or measure something else, is not tried."""
    hit = next((f.bug for f in _findings(ground, candidate) if f.excludes), None)
    return hit.sentence if hit else None


def warnings_of(ground: Ground, candidate: Candidate) -> tuple[str, ...]:
    """What to know of a candidate that is not excluded, one sentence a bug."""
    said = (_warning(candidate, finding) for finding in _findings(ground, candidate))
    return tuple(dict.fromkeys(said))


def _findings(ground: Ground, candidate: Candidate) -> tuple[Finding, ...]:
    case = Case.of(candidate, ground.host, ground.rig)
    return () if case is None else findings(case)


def _warning(candidate: Candidate, finding: Finding) -> str:
    if finding.build_unknown:
        return (
            f"Engine {candidate.engine!r} does not tell its build number: whether bugs of older "
            "builds hit it cannot be checked. Release builds and builds of a full clone tell it."
        )
    return finding.bug.sentence if finding.certain else f"Perhaps: {finding.bug.sentence}"
