"""Numbers that refer to a baseline (speed-up, perplexity change), while a sweep runs.

They are computed by the same code as in the report, from the same raw samples: what the sampler
was told and what a person reads later are one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from orchestrator.analysis.derive import derive
from orchestrator.analysis.records import Measured
from orchestrator.sweeping.ledger import Fault, Ledger
from orchestrator.sweeping.trial import Standing
from search_spaces.candidate import Candidate
from search_spaces.metrics import METRICS, Facet
from search_spaces.space import Space
from workers.contract.outcome import Estimate, Sample
from workers.contract.reports import RigReport

BASELINE_FAILED = "baseline_failed"  # the flag of a trial that has nothing to be compared with


def refers_to_baseline(space: Space) -> bool:
    """Whether a trial of this space can be told only once its baseline is known."""
    wanted = {*space.objectives, *(name for limit in space.limits for name in limit.names)}
    return any(METRICS[name].derived for name in wanted if name in METRICS)


def estimates_against(
    space: Space,
    rig: RigReport,
    ledger: Ledger,
    candidate: Candidate,
    memo: Mapping[Facet, str],
    baseline: Standing | None,
) -> dict[str, Estimate]:
    """Everything known of a candidate, derived metrics included where a baseline is given."""
    if baseline is None:
        return dict(ledger.estimates(memo.values()))
    other = _record(1, rig, ledger, baseline.candidate, baseline.memo)
    if candidate.canonical() == baseline.candidate.canonical():
        return dict(derive((other,), space)[0].estimates)
    mine = _record(2, rig, ledger, candidate, memo)
    return dict(derive((other, mine), space)[1].estimates)


def _record(
    number: int, rig: RigReport, ledger: Ledger, candidate: Candidate, memo: Mapping[Facet, str]
) -> Measured:
    def raw(facet: Facet) -> tuple[Sample, ...]:
        return tuple(ledger.samples.get(memo.get(facet, ""), ()))

    return Measured(
        trial_id=number,
        rig=rig.name,
        candidate=candidate,
        rig_kind=rig.kind,
        estimates=ledger.estimates(memo.values()),
        throughput=raw(Facet.THROUGHPUT),
        deep=raw(Facet.DEPTH),
        chunks=raw(Facet.PERPLEXITY),
        divergence=raw(Facet.DIVERGENCE),
    )


def because_of(baseline: Standing, rig: str, fault: Fault) -> Fault:
    """Why a trial fails whose baseline did: in one sentence, with the baseline's own evidence."""
    settings = ", ".join(f"{name} {value}" for name, value in baseline.candidate.as_dict().items())
    diagnosis = replace(
        fault.diagnosis,
        evidence=f"its baseline failed on {rig} ({fault.diagnosis.evidence}), so there is nothing "
        f"to compare it with; the baseline is {settings}",
    )
    return Fault(diagnosis, fault.job_id, BASELINE_FAILED)
