"""Taking up a sweep where it was left: what is recorded is told, what is open is opened again."""

from __future__ import annotations

from collections.abc import Sequence

from db.rows import TrialRow
from db.states import TrialRole, TrialState
from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.driver import Driver
from orchestrator.sweeping.goals import point_of, verdict
from orchestrator.sweeping.trial import OpenTrial


def take_up(driver: Driver, rows: Sequence[TrialRow]) -> int:
    """Brings study, ledger and desks to what the records say; returns the trials already ended."""
    ended = 0
    for desk in driver.desks.values():
        mine = [row for row in rows if row.rig == desk.rig.name]
        keys = {key for row in mine for key in row.memo.values()}
        driver.records.learn(driver.ledger, keys, desk.rig.hardware_key)
        for row in mine:
            if row.role is not TrialRole.MEASURE:
                desk.budget -= 1
                ended += _take_up(driver, desk, row)
        _forget_unrecorded(desk, mine)
    return ended


def _take_up(driver: Driver, desk: Desk, row: TrialRow) -> int:
    if row.state is TrialState.WAITING:
        desk.open.append(_reopened(desk, row))
        return 0
    if row.state is TrialState.COMPLETE:
        estimates = driver.ledger.estimates(row.memo.values())
        desk.known.setdefault(row.effective_key or row.resolved_key or row.asked_key, row.id)
        point = point_of(driver.space, estimates)
        if point is not None:
            desk.points.append(point)
    if row.number is not None and not row.told:
        _tell(driver, desk, row)
    return 1


def _tell(driver: Driver, desk: Desk, row: TrialRow) -> None:
    """Recorded but not told: the driver was killed between the two."""
    assert row.number is not None
    if row.state is TrialState.FAILED:
        fault = driver.ledger.failure(row.memo.values())
        if fault is None or fault.diagnosis.kind.is_infrastructure:
            desk.search.forget(row.number)
        else:
            desk.search.tell(row.number, None)
    else:
        estimates = driver.ledger.estimates(row.memo.values())
        desk.search.tell(row.number, verdict(driver.space, desk.rig, row.candidate, estimates))
    driver.records.told(row.id)


def _reopened(desk: Desk, row: TrialRow) -> OpenTrial:
    resolved = desk.resolver.resolve(row.candidate)
    baseline = row.role is TrialRole.BASELINE
    return OpenTrial(row.id, row.number, row.rig, row.candidate, resolved, dict(row.memo), baseline)


def _forget_unrecorded(desk: Desk, rows: Sequence[TrialRow]) -> None:
    """Asked of the study, but killed before it was recorded: nothing of it was measured."""
    recorded = {row.number for row in rows}
    for number in desk.search.running:
        if number not in recorded:
            desk.search.forget(number)
