"""no_stray_drafts: a baseline does not draft."""

from __future__ import annotations

from tests.workers.gates.scenes import DFLASH, completion, is_fatal, scene, verdict_of
from workers.gates.checks.no_stray_drafts import GATE


def test_a_plain_server_passes() -> None:
    seen = scene(canaries=[completion()], slots=({"speculative": False},))

    assert verdict_of(GATE, seen).verdict.passed


def test_drafts_in_a_baseline_are_fatal() -> None:
    finding = verdict_of(GATE, scene(canaries=[completion(draft_n=9, draft_n_accepted=3)]))

    assert is_fatal(finding)
    assert "9 tokens" in finding.verdict.detail


def test_slots_that_speculate_are_fatal_also_where_nothing_was_drafted_yet() -> None:
    assert is_fatal(verdict_of(GATE, scene(slots=({"speculative": True},))))


def test_it_does_not_apply_to_who_speculates() -> None:
    assert GATE.check(scene(DFLASH, canaries=[completion(draft_n=9)])) is None
