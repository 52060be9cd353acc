"""Every candidate of a report, measured or failed: what JSON and CSV list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.analysis.exports.names import stable_name
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.numbers import launches_of
from orchestrator.analysis.summary import GroupSummary, Summary
from search_spaces.candidate import Value
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate on one rig.

    `model_name` is what exports call it, for example Qwen3.6-27B-Q8_0-kv_q4_0_q4_0-dflash-256k;
    `place` is front, tied, dominated, or "" for none.

    `argv` is how it was launched, `launches` on how many launches it was timed; `classes` has the
    estimates of each class of prompts.
    """

    key: str
    rig: str
    name: str
    model_name: str
    state: str
    place: str
    picks: tuple[str, ...]
    baseline: bool
    verified: bool
    simulated: bool
    engine_build: str
    settings: Mapping[str, Value]
    flags: tuple[str, ...]
    failure: Diagnosis | None
    argv: tuple[str, ...]
    launches: int
    estimates: Mapping[str, Estimate]
    classes: Mapping[str, Mapping[str, Estimate]]


def rows_of(summary: Summary) -> tuple[Row, ...]:
    """In the order in which they were tried, rig by rig."""
    homes = {record.trial_id: group for group in summary.groups for record in group.records}
    return tuple(_row(record, homes[record.trial_id], summary) for record in summary.records)


def _row(record: Measured, group: GroupSummary, summary: Summary) -> Row:
    place = group.front.place(record.trial_id)
    return Row(
        key=record.candidate.asked_key,
        rig=record.rig,
        name=summary.namer.name(record.candidate),
        model_name=stable_name(record.candidate),
        state=record.state.value,
        place=place.level.value if place else "",
        picks=tuple(pick.key for pick in group.picks if pick.record.trial_id == record.trial_id),
        baseline=record.is_baseline,
        verified=record.verified,
        simulated=record.simulated,
        engine_build=record.engine_label,
        settings=record.candidate.as_dict(),
        flags=record.flags,
        failure=record.failure,
        argv=record.argv,
        launches=launches_of(record.throughput),
        estimates=record.estimates,
        classes={
            name: own[record.trial_id].estimates
            for name, own in summary.classes.items()
            if record.trial_id in own
        },
    )
