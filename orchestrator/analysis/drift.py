"""Drift: whether a rig's baseline changed speed during a sweep, and which results that touches.

Nothing is corrected: docs/measuring.md says why. Results between two looks at the baseline, one
of which was off, are flagged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator.analysis.objectives import margin_of
from orchestrator.analysis.pooling import spreads
from orchestrator.analysis.records import Again, Measured, State
from orchestrator.analysis.words import number
from workers.contract.outcome import Sample
from workers.statistics.comparison import Comparison, Verdict
from workers.statistics.paired import compare_throughput
from workers.statistics.spread import Spread

FLAG = "drift"
ALPHA = 0.05  # shared among the checks of a rig


@dataclass(frozen=True, slots=True)
class Check:
    """The baseline measured again: when, by what ratio its speed had changed, and if that counts.

    It counts when it is beyond noise (`Comparison`, over the same prompts, with the rig's pooled
    launch spread) and beyond the margin inside which a difference costs nothing in practice.
    """

    at: datetime
    change: Comparison
    drifted: bool


@dataclass(frozen=True, slots=True)
class RigDrift:
    """One rig's checks in order, and the trials that were measured beside one that was off."""

    rig: str
    baseline: Measured
    checks: tuple[Check, ...]
    touched: tuple[int, ...]

    @property
    def drifted(self) -> bool:
        """Whether any check was off."""
        return any(check.drifted for check in self.checks)

    @property
    def largest(self) -> Check:
        """The check that was off most, among those that count where any does."""
        counted = [check for check in self.checks if check.drifted] or self.checks
        return max(counted, key=lambda check: abs(check.change.effect))


def drifts(records: Sequence[Measured]) -> tuple[RigDrift, ...]:
    """What is known of drift, for each rig that measured a baseline again.

    One that shares its trials with equal rigs is compared with what the first of them measured.
    """
    checked = [record for record in records if record.again and record.throughput]
    rigs = sorted({one.rig or record.rig for record in checked for one in record.again})
    return tuple(_of_rig(rig, records, _baseline(rig, checked)) for rig in rigs)


def _baseline(rig: str, checked: Sequence[Measured]) -> Measured:
    """The first that was measured again there, the rig's own before that of an equal one."""
    there = [r for r in checked if any((one.rig or r.rig) == rig for one in r.again)]
    return min(there, key=lambda record: record.rig != rig)


def flagged(records: Sequence[Measured]) -> tuple[Measured, ...]:
    """The records with FLAG on those that drift touches."""
    touched = {trial for drift in drifts(records) for trial in drift.touched}
    return tuple(
        replace(record, flags=(*record.flags, FLAG))
        if record.trial_id in touched and FLAG not in record.flags
        else record
        for record in records
    )


def change_between(
    first: Sequence[Sample], later: Sequence[Sample], spread: Spread | None
) -> Comparison | None:
    """The later speed over the first one's; None where they have no prompt in common."""
    try:
        return compare_throughput(later, first, spread=spread)
    except ValueError:
        return None


def _of_rig(rig: str, records: Sequence[Measured], baseline: Measured) -> RigDrift:
    spread = spreads(r for r in records if r.rig == baseline.rig).get("tok_s")
    again = [one for one in baseline.again if (one.rig or baseline.rig) == rig]
    made = [
        (one, change_between(baseline.throughput, one.throughput, spread)) for one in _timely(again)
    ]
    known = [(one, change) for one, change in made if change is not None]
    checks = tuple(
        Check(one.at, change, _counts(change, ALPHA / len(known))) for one, change in known
    )
    touched = tuple(
        r.trial_id
        for r in records
        if r.where == rig
        and r.state is State.COMPLETE
        and r is not baseline
        and _is_touched(r, baseline, checks)
    )
    return RigDrift(rig, baseline, checks, touched)


def _timely(again: Iterable[Again]) -> list[Again]:
    return sorted(again, key=lambda one: one.at)


def _counts(change: Comparison, alpha: float) -> bool:
    off = change.verdict_at(alpha) is not Verdict.TIE
    return off and abs(change.effect) > margin_of("tok_s")


def _is_touched(record: Measured, baseline: Measured, checks: Sequence[Check]) -> bool:
    """Whether the check before or after it was off. What is older than the sweep is not judged."""
    at = record.measured_at
    if at is None or baseline.measured_at is None or at < baseline.measured_at:
        return False
    before = [check for check in checks if check.at <= at]
    after = [check for check in checks if check.at > at]
    return any(check.drifted for check in (*before[-1:], *after[:1]))


def percent(change: Comparison) -> str:
    """The change in words: "2.1 % slower (1.0 to 3.2 %)"."""
    way = "faster" if change.value >= 1 else "slower"
    shown = sorted(100 * abs(bound - 1) for bound in (change.low, change.high) if bound is not None)
    crosses = change.low is not None and change.high is not None and change.low < 1 < change.high
    text = f"{100 * abs(change.value - 1):.1f} % {way}"
    if not shown:
        return text
    if crosses:
        low, high = (100 * ((bound or 1.0) - 1) for bound in (change.low, change.high))
        return f"{text} ({low:+.1f} to {high:+.1f} %)".replace("-", "\N{MINUS SIGN}")
    return f"{text} ({shown[0]:.1f} to {shown[1]:.1f} %)"


def sentence(drift: RigDrift) -> str:
    """What the checks of a rig say."""
    times = f"{len(drift.checks)} time" + ("s" if len(drift.checks) != 1 else "")
    worst = drift.largest
    head = f"The baseline was measured again {times} on {drift.rig}"
    if not drift.drifted:
        return f"{head}, and no drift was shown: at most {percent(worst.change)} than at first."
    at = worst.at.astimezone().strftime("%H:%M")
    rate = number("tok_s", drift.baseline.value("tok_s") or 0.0)
    touched = len(drift.touched)
    results = f"{touched} result" + ("s" if touched != 1 else "")
    return (
        f"{head} and had drifted: at {at} it was {percent(worst.change)} than its first "
        f"{rate} tok/s. {results} measured around then are flagged, and none is corrected; "
        "confirm what you use with: orchestrate verify."
    )
