"""What a verification found: a table, sentences, or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from db.rows import SweepRow
from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from orchestrator.analysis.summary import Summary
from orchestrator.analysis.verification.judge import KINDS
from orchestrator.cli.finalist_quality import Scored, score_lines, scores_as_json
from orchestrator.cli.tables import console, show, table

_MARKS = {
    ClaimVerdict.SURVIVED: "yes",
    ClaimVerdict.REFUTED: "NO",
    ClaimVerdict.UNDECIDED: "undecided",
}
_TITLES = {kind.name: kind.title for kind in KINDS}


def print_result(
    row: SweepRow,
    summary: Summary,
    claims: Sequence[ClaimRow],
    scored: Sequence[Scored],
    seed: int,
    launches: int,
    as_json: bool,
) -> None:
    """On standard output: each candidate's claims, then one sentence for each."""
    candidates = {record.trial_id: record.candidate for record in summary.records}
    if as_json:
        made = {
            "sweep": row.key,
            "seed": seed,
            "launches": launches,
            "survived": all(claim.verdict is ClaimVerdict.SURVIVED for claim in claims),
            "claims": [
                {"key": candidates[claim.trial_id].asked_key, "claim": _TITLES[claim.kind]}
                | {name: value for name, value in asdict(claim).items() if name != "trial_id"}
                for claim in claims
            ],
            "quality": scores_as_json(scored),
        }
        print(json.dumps(made, indent=2, ensure_ascii=False))
        return
    out, namer = console(), summary.namer
    by_trial: dict[int, dict[str, ClaimRow]] = {}
    for claim in claims:
        by_trial.setdefault(claim.trial_id, {})[claim.kind] = claim
    heads = ["key", "candidate", *_TITLES.values()]
    rows = [
        [candidates[trial].asked_key[:8], namer.name(candidates[trial])]
        + [_MARKS[own[kind].verdict] if kind in own else "–" for kind in _TITLES]
        for trial, own in by_trial.items()
    ]
    out.print()
    show(out, table("Claims of the sweep, measured again", heads, rows))
    out.print()
    for claim in claims:
        mark = _MARKS[claim.verdict]
        name = namer.name(candidates[claim.trial_id])
        text = f"{name} · {_TITLES[claim.kind]}: {mark}; {claim.sentence}."
        out.print(text, soft_wrap=True)
    for line in score_lines(scored, lambda record: namer.name(record.candidate)):
        out.print(line, soft_wrap=True, markup=False, highlight=False)
