"""From a sweep in the database to the records that analysis works on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from db.database import Database
from db.rows import SampleRow, SweepRow, TrialResult, TrialRow
from db.states import SweepState, TrialState
from orchestrator.analysis.derive import derive
from orchestrator.analysis.drift import flagged
from orchestrator.analysis.records import Again, Measured, Role, State, Verification
from orchestrator.analysis.samples import merged
from search_spaces.metrics import Facet
from workers.contract.outcome import Sample
from workers.contract.reports import HostReport, RigKind, RigReport

STATES = {TrialState.COMPLETE: State.COMPLETE, TrialState.FAILED: State.FAILED}


def collect(database: Database, sweep: SweepRow, only: Iterable[int] = ()) -> tuple[Measured, ...]:
    """Every ended trial, with derived metrics; replayed ones are their originals and left out.

    Or `only` some trials, by id. Baselines hold what their anchors found; results that drift
    touches are flagged.
    """
    results = database.results(sweep.id, only)
    anchors = database.trials.anchors(sweep.id)
    trials = (*(result.trial for result in results), *anchors)
    keys = {key for trial in trials for key in trial.memo.values()}
    samples = database.memo.samples_for(keys)
    hosts = database.hosts.of(sweep.id)
    rigs = database.jobs.rigs(sweep.id)
    records = [
        _record(result, samples, hosts, rigs) for result in results if result.trial.state in STATES
    ]
    known = flagged(_with_anchors(records, results, anchors, samples, hosts))
    return derive(_verified(known, database, sweep), sweep.space)


def _verified(
    records: Sequence[Measured], database: Database, sweep: SweepRow
) -> tuple[Measured, ...]:
    """The records with what the latest finished verification that held each says of it."""
    found: dict[int, Verification] = {}
    for row in database.verifications.of(sweep.id):  # newest first
        if row.state is SweepState.FINISHED and row.ended is not None:
            for trial in {claim.trial_id for claim in row.claims}:
                claims = tuple(claim for claim in row.claims if claim.trial_id == trial)
                found.setdefault(trial, Verification(row.ended, claims))
    return tuple(
        replace(record, verification=one, verified=one.survived)
        if (one := found.get(record.trial_id)) is not None
        else record
        for record in records
    )


def _with_anchors(
    records: Sequence[Measured],
    results: Sequence[TrialResult],
    anchors: Sequence[TrialRow],
    samples: Mapping[str, Sequence[SampleRow]],
    hosts: Sequence[HostReport],
) -> list[Measured]:
    """Gives each anchor to the baseline that it measured again: the same launch on equal rigs.

    An engine that was exchanged in between is another launch, which is no drift.
    """

    def place(rig: str) -> str:
        hardware = hardware_of(rig, hosts)
        return hardware.hardware_key if hardware else rig

    found: dict[tuple[str, str | None], list[Again]] = defaultdict(list)
    for anchor in anchors:
        rows = samples.get(anchor.memo.get(Facet.THROUGHPUT, ""), ())
        if rows:
            again = Again(rows[-1].recorded, tuple(merged(rows)), anchor.rig)
            found[place(anchor.rig), anchor.resolved_key].append(again)
    launch = {result.trial.id: result.trial.resolved_key for result in results}
    return [
        replace(record, again=tuple(found.get((place(record.rig), launch[record.trial_id]), ())))
        if record.role is Role.BASELINE
        else record
        for record in records
    ]


def _record(
    result: TrialResult,
    samples: Mapping[str, Sequence[SampleRow]],
    hosts: Sequence[HostReport],
    rigs: Mapping[str, str],
) -> Measured:
    trial, hardware = result.trial, hardware_of(result.trial.rig, hosts)

    def raw(facet: Facet) -> tuple[Sample, ...]:
        return tuple(merged(samples.get(trial.memo.get(facet, ""), ())))

    timed = samples.get(trial.memo.get(Facet.THROUGHPUT, ""), ())
    measured = (result.estimates.get(name) for name in ("tok_s", "ppl", "quality_score"))
    named = next((row for row in measured if row is not None), None)
    return Measured(
        trial_id=trial.id,
        rig=trial.rig,
        candidate=trial.candidate,
        state=STATES[trial.state],
        role=Role(trial.role.value),
        number=trial.number,
        rig_kind=RigKind.CPU if hardware is None else hardware.kind,
        hardware=hardware,
        engine_label=named.build_label if named else "",
        estimates={name: row.estimate for name, row in result.estimates.items()},
        throughput=raw(Facet.THROUGHPUT),
        deep=raw(Facet.DEPTH),
        chunks=raw(Facet.PERPLEXITY),
        divergence=raw(Facet.DIVERGENCE),
        scores=raw(Facet.QUALITY),
        flags=result.flags,
        failure=result.failure.diagnosis if result.failure else None,
        simulated=result.simulated,
        argv=result.argv,
        measured_at=timed[0].recorded if timed else None,
        measured_on=rigs.get(timed[0].job_id, "") if timed else "",
    )


def hardware_of(rig: str, hosts: Sequence[HostReport]) -> RigReport | None:
    """What the hosts reported of a rig; None where none did."""
    found = (report for host in hosts for report in host.rigs if report.name == rig)
    return next(found, None)
