"""Facts of a made-up sweep, as a database would tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from db.rows import Driver, SweepRow, TrialResult, TrialRow
from db.states import SweepState, TrialRole, TrialState
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.report.document import Block, Number, Table
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.registry import section_makers
from orchestrator.analysis.summary import summarise
from search_spaces.space import Space
from tests.orchestrator.analysis.synthetic import space, sweep
from tests.orchestrator.analysis.test_classes import classed
from tests.support.hosts import make_host, make_rig
from workers.contract.outcome import GateVerdict

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
GATES = (GateVerdict("own_server", True), GateVerdict("quiet_host", False, "busy", fatal=False))


def records(gain: float = 0.9) -> list[Measured]:
    """All of the demo space on a rig where speculation pays, over two classes of prompts."""
    return [classed(record) for record in sweep("rtx", base=180, gain=gain)]


def facts(of: Sequence[Measured] | None = None) -> Facts:
    """The facts of records, by default of all of the demo space."""
    demo, of = space(), records() if of is None else of
    summary = summarise(of, demo)
    rigs = [make_rig(name) for name in sorted({record.rig for record in of})]
    hosts = [make_host(demo, rigs)] if rigs else []
    results = [_result(record) for record in summary.records]
    return Facts.of(sweep_row(demo), summary, hosts, results)


def sweep_row(of: Space) -> SweepRow:
    """A finished sweep."""
    return SweepRow(
        id=1,
        key="ab" * 8,
        name=of.name,
        title=of.title,
        space=of,
        fingerprint={"orchestrate": "9.9.9"},
        state=SweepState.FINISHED,
        runs=1,
        started=NOON,
        ended=NOON,
        driver=Driver("tower", 1, 1.0),
    )


def _result(record: Measured) -> TrialResult:
    done = record.state is State.COMPLETE
    trial = TrialRow(
        id=record.trial_id,
        sweep_id=1,
        rig=record.rig,
        number=record.number,
        role=TrialRole(record.role.value),
        state=TrialState.COMPLETE if done else TrialState.FAILED,
        candidate=record.candidate,
        asked_key=record.candidate.asked_key,
        resolved_key=None,
        effective_key=None,
        same_as=None,
        failed_by=None,
        told=True,
        flags=(),
        created=NOON,
        ended=NOON,
        memo={},
    )
    return TrialResult(trial, {}, None, record.flags, GATES if done else (), (), (), "", False)


def build(name: str, of: Facts) -> tuple[Block, ...]:
    """The blocks of one section."""
    return next(maker for maker in section_makers() if maker.name == name).build(of)


def table(name: str, of: Facts, position: int = 0) -> Table:
    """One of a section's tables."""
    return [block for block in build(name, of) if isinstance(block, Table)][position]


def column(found: Table, key: str) -> list[str | Number | None]:
    """The cells of one column, from top to bottom."""
    position = [column.key for column in found.columns].index(key)
    return [row[position] for row in found.rows]


def at_contexts(*sizes: int) -> list[Measured]:
    """The baselines at several context capacities."""
    plain = [r for r in records() if not r.candidate.drafts]
    return [
        replace(r, trial_id=100 * i + r.trial_id, candidate=replace(r.candidate, ctx=size))
        for i, size in enumerate(sizes)
        for r in plain
    ]
