"""cards_not_shared flags numbers that were made beside somebody else's computing."""

from __future__ import annotations

from tests.workers.gates.scenes import GPU, is_flag, scene, verdict_of
from workers.gates.checks.cards_not_shared import GATE

ENGINE = frozenset({40, 41})


def test_alone_on_the_card_passes_whatever_others_do_elsewhere() -> None:
    pids = {"GPU-0": ENGINE, "GPU-1": frozenset({7})}
    assert verdict_of(GATE, scene(rig=GPU, card_pids=pids, engine_pids=ENGINE)).verdict.passed


def test_another_process_on_the_card_flags_the_numbers() -> None:
    pids = {"GPU-0": frozenset({7, 41})}
    finding = verdict_of(GATE, scene(rig=GPU, card_pids=pids, engine_pids=ENGINE))
    assert is_flag(finding)
    assert finding.verdict.detail == "process 7 computed on the same card"


def test_a_driver_that_does_not_name_the_engine_is_not_believed_about_others() -> None:
    """In a container it names pids of the host."""
    pids = {"GPU-0": frozenset({7})}
    assert GATE.check(scene(rig=GPU, card_pids=pids, engine_pids=ENGINE)) is None
