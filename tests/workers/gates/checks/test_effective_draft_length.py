"""effective_draft_length: a clamped n_max is stored as what it is."""

from __future__ import annotations

from dataclasses import replace

from tests.workers.gates import logs
from tests.workers.gates.scenes import DFLASH, PLAIN, is_flag, scene, verdict_of
from workers.gates.checks.effective_draft_length import GATE

CLAMPED = logs.N_MAX.format(12) + logs.BLOCK.format(8) + logs.CLAMPED


def test_a_length_that_was_granted_has_nothing_to_store() -> None:
    finding = verdict_of(GATE, scene(DFLASH, log=logs.N_MAX.format(4) + logs.BLOCK.format(8)))

    assert finding.verdict.passed
    assert finding.effective == {}


def test_a_clamped_length_passes_under_its_true_value() -> None:
    finding = verdict_of(GATE, scene(replace(DFLASH, n_max=12), log=CLAMPED))

    assert finding.verdict.passed
    assert finding.effective == {"n_max": 7}
    assert "12" in finding.verdict.detail


def test_a_length_that_was_left_open_becomes_known() -> None:
    finding = verdict_of(GATE, scene(replace(DFLASH, n_max=None), log=logs.N_MAX.format(3)))

    assert finding.effective == {"n_max": 3}


def test_the_anchor_of_a_dspark_block_is_drafted_too() -> None:
    dspark = replace(DFLASH, spec="draft-dspark", n_max=12)

    assert verdict_of(GATE, scene(dspark, log=logs.BLOCK.format(8))).effective == {"n_max": 8}


def test_a_log_without_a_word_flags() -> None:
    assert is_flag(verdict_of(GATE, scene(DFLASH, log="main: model loaded\n")))


def test_it_does_not_apply_where_no_model_drafts() -> None:
    assert GATE.check(scene(PLAIN)) is None
    assert GATE.check(scene(replace(PLAIN, spec="ngram-mod"), log=logs.NGRAM_MOD)) is None
