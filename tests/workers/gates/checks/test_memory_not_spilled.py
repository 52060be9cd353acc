"""memory_not_spilled: what does not fit must not look slow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.gates.scenes import CARD, GPU, PLAIN, is_fatal, scene, verdict_of
from workers.gates.checks.memory_not_spilled import GATE

FULL = {"mem_used_share": 0.956, "pcie_rx_mib_s": 6000.0}


@pytest.mark.parametrize(
    "telemetry", [FULL, {"mem_shared_growth_mib": 900.0}, {"mem_swapped_mib": 500.0}]
)
def test_each_sign_of_a_spill_is_fatal(telemetry: dict[str, float]) -> None:
    assert is_fatal(verdict_of(GATE, scene(PLAIN, GPU, telemetry=telemetry)))


@pytest.mark.parametrize(
    "telemetry",
    [
        {"mem_used_share": 0.99, "pcie_rx_mib_s": 40.0},
        {"mem_used_share": 0.60, "pcie_rx_mib_s": 6000.0},
        {"mem_shared_growth_mib": 3.0},
        {"mem_swapped_mib": 0.0},
        {"power_w": 300.0},
    ],
    ids=["full but quiet", "busy but roomy", "a desktop", "no swap", "nothing told"],
)
def test_one_sign_alone_or_none_passes(telemetry: dict[str, float]) -> None:
    assert verdict_of(GATE, scene(PLAIN, GPU, telemetry=telemetry)).verdict.passed


@pytest.mark.parametrize(
    "change", [{"ngl": "20"}, {"n_cpu_moe": 30}, {"override_tensor": "exps=CPU"}]
)
def test_traffic_that_was_asked_for_is_no_spill(change: dict[str, str | int]) -> None:
    asked = replace(PLAIN, **change)  # type: ignore[arg-type]

    assert verdict_of(GATE, scene(asked, GPU, telemetry=FULL)).verdict.passed


def test_traffic_between_two_cards_is_no_spill() -> None:
    pair = replace(GPU, cards=(CARD, CARD))

    assert verdict_of(GATE, scene(PLAIN, pair, telemetry=FULL)).verdict.passed


def test_it_does_not_apply_without_telemetry() -> None:
    assert GATE.check(scene(PLAIN, GPU)) is None
