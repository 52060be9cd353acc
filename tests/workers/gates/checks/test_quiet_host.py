"""quiet_host flags numbers that were made while something else ran."""

from __future__ import annotations

from tests.workers.gates.scenes import scene
from workers.gates.checks.quiet_host import GATE


def test_a_busy_neighbour_flags_the_numbers() -> None:
    finding = GATE.check(scene(telemetry={"cpu_others_share": 0.46}))
    assert finding is not None
    assert not finding.verdict.passed
    assert not finding.verdict.fatal
    assert "46%" in finding.verdict.detail


def test_a_quiet_host_passes() -> None:
    finding = GATE.check(scene(telemetry={"cpu_others_share": 0.02}))
    assert finding is not None and finding.verdict.passed


def test_a_rig_that_does_not_tell_is_not_judged() -> None:
    assert GATE.check(scene(telemetry={})) is None
