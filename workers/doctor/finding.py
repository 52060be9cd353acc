"""What a doctor says: one finding, how bad it is, how sure that is, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """OK: as it should be. INFO: worth knowing. WARNING: costs speed or trust. ERROR: broken."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for OK, and more the worse it is."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """LOW: a guess that its recommendation lets you check. HIGH: the server itself says so."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Finding:
    """`rule` is the file that found it; `evidence` what was seen, with its numbers."""

    rule: str
    severity: Severity
    confidence: Confidence
    evidence: str
    recommendation: str = ""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A rule that could not be judged, and why not. Not judged is not the same as healthy."""

    rule: str
    reason: str


def worst(findings: tuple[Finding, ...]) -> Severity:
    """The worst severity; OK without any finding."""
    return max((one.severity for one in findings), key=lambda s: s.rank, default=Severity.OK)
