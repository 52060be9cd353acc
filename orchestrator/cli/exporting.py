"""From a measured record to what the export formats take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workers.dialects.export import command_line

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import Summary
from orchestrator.analysis.words import Namer, short_name
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError
from workers.engines.base import Assets
from workers.models.resolve import resolve


def request_of(record: Measured, namer: Namer, binary: str = "llama-server") -> ExportRequest:
    """The request with the command line that starts this candidate, spelt for its engine."""
    candidate = record.candidate
    assets = Assets(_file(candidate.model), _file(candidate.drafter) if candidate.drafter else None)
    argv = tuple(command_line(candidate, assets, record.argv, binary))
    return ExportRequest(record, argv, namer.name(candidate), stable_name(record))


def _file(reference: str) -> Path:
    """The model's path here; what is not on this machine keeps the name it was given."""
    try:
        return resolve(reference)
    except OrchestrateError:
        return Path(reference)


def stable_name(record: Measured) -> str:
    """A name that says what it is: MODEL-kv_K_V-SPEC-CTXk."""
    c = record.candidate
    spec = c.spec.removeprefix("draft-").replace(",", "+")
    length = f"-n{c.n_max}" if c.n_max is not None else ""
    size = f"{c.ctx // 1024}k" if c.ctx % 1024 == 0 else f"{c.ctx}"
    return f"{short_name(c.model)}-kv_{c.kv_k}_{c.kv_v}-{spec}{length}-{size}"


def chosen(summary: Summary, names: Sequence[str]) -> list[Measured]:
    """Records by key, by pick (best, fastest, finest, draft), or the whole front."""
    picks: dict[str, list[Measured]] = {}
    for group in summary.groups:
        for pick in group.picks:
            picks.setdefault(pick.key, []).append(pick.record)
        picks.setdefault("front", []).extend(group.front.members)
    found: list[Measured] = []
    for name in names:
        by_key = [r for r in summary.records if r.candidate.asked_key.startswith(name)]
        if name not in picks and not by_key:
            keys = [r.candidate.asked_key[:8] for r in summary.records]
            raise OrchestrateError(
                f"There is no measured candidate {name!r}.",
                did_you_mean(name, [*picks, *keys[:20]]),
            )
        found.extend(picks.get(name) or by_key)
    return list({record.trial_id: record for record in found}.values())
