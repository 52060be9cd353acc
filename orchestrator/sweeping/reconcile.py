"""Taking up a sweep where it was left: what is recorded is told, what is open is opened again."""

from __future__ import annotations

from collections.abc import Sequence

from db.rows import TrialRow
from db.states import TrialRole, TrialState
from orchestrator.sweeping.derived import BASELINE_FAILED, because_of
from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.driver import Driver
from orchestrator.sweeping.goals import group_of, point_of, verdict
from orchestrator.sweeping.ledger import Fault
from orchestrator.sweeping.outcomes import known_of, tell_failure
from orchestrator.sweeping.rules.registry import excluded
from orchestrator.sweeping.seat import Seat
from orchestrator.sweeping.trial import Launch, OpenTrial, Standing
from search_spaces.walk import baseline_assignment


def take_up(driver: Driver, rows: Sequence[TrialRow]) -> int:
    """Brings study, ledger and desks to what the records say; returns the trials already ended."""
    ended = 0
    anchors = [row for row in rows if row.role is TrialRole.ANCHOR]
    for desk in driver.desks.values():
        here = [row for row in rows if row.rig == desk.rig.name]
        mine = [row for row in here if row.role not in (TrialRole.MEASURE, TrialRole.ANCHOR)]
        desk.search.take_up({r.number: r.candidate for r in mine if r.number is not None})
        keys = {key for row in mine for key in row.memo.values()}
        driver.records.learn(driver.ledger, keys, desk.hardware)
        faults = {row.id: driver.records.fault_of(row) for row in mine}
        for row in mine:
            if row.role is TrialRole.BASELINE:
                _stand(desk, row, faults[row.id])
        for row in mine:
            fault = faults[row.id]
            baseline = desk.baseline_of(row.candidate)
            if fault is not None and baseline is not None and BASELINE_FAILED in row.flags:
                fault = because_of(baseline, row.rig, fault)
            ended += _take_up(driver, desk, row, fault)
        for seat in desk.seats:
            _take_up_anchors(driver, desk, seat, [row for row in anchors if row.rig == seat.name])
        for trial in list(desk.open):
            driver.ask_baseline(desk, baseline_assignment(driver.space, trial.candidate))
    return ended


def _take_up_anchors(driver: Driver, desk: Desk, seat: Seat, rows: Sequence[TrialRow]) -> None:
    """Goes on with the schedule; an anchor that was open when its driver was killed is measured.

    One whose engine was exchanged or is gone meanwhile can show nothing any more, and is left.
    """
    seat.anchors.take_up(rows, driver.records.speeds(seat.name))
    for row in rows:
        if row.state is not TrialState.WAITING or excluded(desk.ground, row.candidate):
            continue
        resolved = desk.resolver.resolve(row.candidate)
        if resolved.key == row.resolved_key:
            driver.records.learn(driver.ledger, row.memo.values(), desk.hardware)
            desk.open.append(
                OpenTrial(
                    row.id, None, row.rig, row.candidate, resolved, dict(row.memo), is_anchor=True
                )
            )


def _stand(desk: Desk, row: TrialRow, fault: Fault | None) -> None:
    """A baseline that only the machinery failed is asked for again."""
    if fault is None or not fault.diagnosis.kind.is_infrastructure:
        ended = row.state in (TrialState.COMPLETE, TrialState.REPLAYED)
        standing = Standing(row.id, row.candidate, dict(row.memo), ended, fault)
        desk.baselines[row.candidate.canonical()] = standing


def _take_up(driver: Driver, desk: Desk, row: TrialRow, fault: Fault | None) -> int:
    """One row; returns 1 when it had ended. Trials that were forgotten cost no budget."""
    if fault is not None and fault.flag != BASELINE_FAILED:
        desk.backstop.learn(row.candidate, fault.diagnosis)
    if fault is None or not fault.diagnosis.kind.is_infrastructure:
        desk.budget -= 1
    if row.state is TrialState.WAITING:
        _open_again(driver, desk, row)
        return 0
    if row.state is TrialState.COMPLETE:
        desk.known.setdefault(_key(row), Launch(row.id, dict(row.memo)))
    known = known_of(driver.space, desk, driver.ledger, row.candidate, row.memo)
    desk.backstop.bound(row.candidate, known.get("ctx_max"))
    if row.state is TrialState.COMPLETE and (point := point_of(driver.space, known)) is not None:
        desk.add_point(group_of(driver.space, row.candidate), point)
    if row.number is not None and not row.told:  # the driver was killed between the two
        if fault is not None:
            tell_failure(driver.space, desk, row.number, fault)
        else:
            desk.search.tell(row.number, verdict(driver.space, desk.rig, row.candidate, known))
        driver.records.told(row.id)
    return 1


def _open_again(driver: Driver, desk: Desk, row: TrialRow) -> None:
    """Waits on, under the keys of what its names mean today.

    An engine or a file that was exchanged meanwhile would otherwise be measured under the keys
    of its predecessor.
    """
    why = excluded(desk.ground, row.candidate)
    if why is not None:
        driver.listener.note(f"{row.rig}: a trial goes on waiting, because {why.reason}.")
        return
    resolved = desk.resolver.resolve(row.candidate)
    baseline = row.role is TrialRole.BASELINE
    trial = OpenTrial(
        row.id,
        row.number,
        row.rig,
        row.candidate,
        resolved,
        dict(row.memo),
        baseline,
        row.effective_key,
    )
    if resolved.key != row.resolved_key:
        trial.effective_key = resolved.key
        trial.memo = desk.resolver.memo(resolved)
        driver.records.became(trial)
        driver.records.learn(driver.ledger, trial.memo.values(), desk.hardware)
    if trial.rig_keys and driver.ledger.complete(trial.rig_keys.values()):
        desk.known.setdefault(trial.key, Launch(trial.row, trial.memo))
    desk.open.append(trial)


def _key(row: TrialRow) -> str:
    return row.effective_key or row.resolved_key or row.asked_key
