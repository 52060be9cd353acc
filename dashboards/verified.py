"""What `orchestrate verify` found of a sweep's claims, as pages say it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dashboards.library import Library
from dashboards.parts import note
from db.rows import SweepRow
from db.states import ClaimVerdict, SweepState
from db.verification_rows import ClaimRow, VerificationRow
from orchestrator.analysis.records import Measured

if TYPE_CHECKING:
    from dash.development.base_component import Component

_WORDS = {
    ClaimVerdict.SURVIVED: "survived",
    ClaimVerdict.REFUTED: "refuted",
    ClaimVerdict.UNDECIDED: "undecided",
}


def verification(library: Library, row: SweepRow) -> list[Component]:
    """How the claims fared in the latest finished verification; what was refuted is a warning."""
    from dash import html

    found = library.database.verifications.of(row.id)  # newest first
    last = next((one for one in found if one.state is SweepState.FINISHED and one.ended), None)
    if last is None or not last.claims:
        return []
    refuted = [claim for claim in last.claims if claim.verdict is ClaimVerdict.REFUTED]
    if not refuted:
        return [note(_counts(last))]
    parts: list[Component] = [html.Span(_counts(last))]
    parts.append(html.Ul([html.Li(_refuted(claim)) for claim in refuted]))
    return [html.Div(parts, className="warning")]


def _counts(last: VerificationRow) -> str:
    counts = Counter(claim.verdict for claim in last.claims)
    said = ", ".join(f"{counts[v]} {word}" for v, word in _WORDS.items() if counts[v])
    when = f"{last.ended.astimezone():%d %b %Y, %H:%M}" if last.ended else ""
    candidates = len({claim.trial_id for claim in last.claims})
    about = f"{len(last.claims)} claims about {candidates} candidates"
    return f"Verified afresh on {when}; of {about}: {said}."


def _refuted(claim: ClaimRow) -> str:
    return f"{claim.rig}, trial {claim.trial_id}: {claim.sentence}"


def standing(record: Measured | None) -> str:
    """One word for a table: verified, refuted or undecided; "" for what nobody looked at again."""
    if record is None or record.verification is None:
        return ""
    if record.verification.survived:
        return "verified"
    verdicts = {claim.verdict for claim in record.verification.claims}
    return _WORDS[
        ClaimVerdict.REFUTED if ClaimVerdict.REFUTED in verdicts else ClaimVerdict.UNDECIDED
    ]
