"""engine_on_its_cards fails an engine that computes elsewhere than its rig says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.gates.scenes import CARD, CPU, GPU, scene, verdict_of
from workers.gates.base import Scene
from workers.gates.checks.engine_on_its_cards import GATE

OTHER = replace(CARD, index=1, uuid="GPU-1")
PAIR = replace(GPU, cards=(CARD, OTHER))
ENGINE = frozenset({40, 41})


def on(*uuids: str, rig=GPU) -> Scene:  # type: ignore[no-untyped-def]
    """An engine that the driver shows on these cards, beside somebody else's process."""
    pids = {uuid: frozenset({7, 41} if uuid in uuids else {7}) for uuid in ("GPU-0", "GPU-1")}
    return scene(rig=rig, card_pids=pids, engine_pids=ENGINE)


def test_its_own_card_passes() -> None:
    assert verdict_of(GATE, on("GPU-0")).verdict.passed


def test_both_cards_of_a_pair_pass() -> None:
    assert verdict_of(GATE, on("GPU-0", "GPU-1", rig=PAIR)).verdict.passed


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (on("GPU-1"), "the engine also computes on GPU-1"),
        (on("GPU-0", "GPU-1"), "the engine also computes on GPU-1"),
        (on("GPU-0", rig=PAIR), "the engine does not compute on GPU-1"),
    ],
)
def test_anything_else_fails(here: Scene, says: str) -> None:
    finding = verdict_of(GATE, here)
    assert (finding.verdict.passed, finding.verdict.fatal) == (False, True)
    assert finding.verdict.detail == says


@pytest.mark.parametrize("here", [on(), scene(rig=GPU), on("GPU-0", rig=CPU)])
def test_what_the_driver_does_not_tell_is_not_judged(here: Scene) -> None:
    assert GATE.check(here) is None
