"""no_throttle: hot cards mark the numbers."""

from __future__ import annotations

import pytest

from tests.workers.gates.scenes import GPU, PLAIN, is_flag, scene, verdict_of
from workers.gates.checks.no_throttle import GATE


@pytest.mark.parametrize("reason", ["hw_slowdown", "hw_thermal", "hw_power_brake", "sw_thermal"])
def test_a_slowdown_that_lasts_is_a_flag_that_names_it(reason: str) -> None:
    finding = verdict_of(GATE, scene(PLAIN, GPU, telemetry={f"throttle_{reason}": 0.4}))

    assert is_flag(finding)
    assert f"{reason} 40%" in finding.verdict.detail


@pytest.mark.parametrize(
    "telemetry",
    [
        {"throttle_sw_power_cap": 1.0},
        {"throttle_gpu_idle": 0.5},
        {"throttle_hw_thermal": 0.01},
        {"throttle_hw_thermal": 0.0},
    ],
    ids=["at its power limit", "idle", "one moment", "never"],
)
def test_a_card_at_its_own_speed_passes(telemetry: dict[str, float]) -> None:
    assert verdict_of(GATE, scene(PLAIN, GPU, telemetry=telemetry)).verdict.passed


def test_it_does_not_apply_where_the_card_does_not_tell() -> None:
    assert GATE.check(scene(PLAIN, GPU, telemetry={"power_w": 300.0})) is None
