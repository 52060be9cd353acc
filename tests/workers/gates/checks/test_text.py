"""text_sane, text_repetition and text_after_end: what the timed text is worth."""

from __future__ import annotations

import pytest

from tests.workers.gates.scenes import completion, is_fatal, is_flag, scene, verdict_of
from workers.gates.base import Gate
from workers.gates.checks.text_after_end import GATE as AFTER_END
from workers.gates.checks.text_repetition import GATE as REPETITION
from workers.gates.checks.text_sane import GATE as SANE
from workers.http.completion import Completion

EMPTY = completion(text="", tokens=())
BLANK = completion(text=" \n ", tokens=())
STUCK = completion(text="!" * 16, tokens=(0,) * 16)
STUCK_WITHOUT_TOKENS = completion(text="GGGGGGGGGGGGGGGG", tokens=())
LOOP = completion(text="round and " * 50, tokens=(1, 2) * 50, predicted_n=100)
EOG = "print_info: EOG token             = 7 '<|im_end|>'\n"


def test_text_passes() -> None:
    assert verdict_of(SANE, scene(measured=[completion()])).verdict.passed


@pytest.mark.parametrize("broken", [EMPTY, BLANK, STUCK, STUCK_WITHOUT_TOKENS])
def test_nothing_but_broken_answers_are_fatal(broken: Completion) -> None:
    assert is_fatal(verdict_of(SANE, scene(measured=[broken, broken])))


def test_empty_and_stuck_answers_together_are_fatal() -> None:
    assert is_fatal(verdict_of(SANE, scene(measured=[EMPTY, STUCK])))


@pytest.mark.parametrize("broken", [EMPTY, STUCK])
def test_one_broken_answer_among_good_ones_is_the_models_own(broken: Completion) -> None:
    assert verdict_of(SANE, scene(measured=[completion(), broken])).verdict.passed


def test_broken_canaries_are_found_before_anything_is_timed() -> None:
    assert is_fatal(verdict_of(SANE, scene(canaries=[EMPTY, EMPTY])))


def test_a_loop_is_flagged_and_its_share_recorded() -> None:
    finding = verdict_of(REPETITION, scene(measured=[LOOP, completion()]))

    assert is_flag(finding)
    assert finding.recorded["repeated_4gram_share"] == pytest.approx((95 / 97) / 2)


def test_the_share_is_recorded_also_where_nothing_loops() -> None:
    finding = verdict_of(REPETITION, scene(measured=[completion()]))

    assert finding.verdict.passed
    assert finding.recorded == {"repeated_4gram_share": 0.0}


def test_builds_that_return_no_tokens_are_judged_by_words() -> None:
    words = completion(text="round and " * 50, tokens=())

    assert is_flag(verdict_of(REPETITION, scene(measured=[words])))


def test_text_after_the_natural_length_is_flagged_and_its_share_recorded() -> None:
    seen = scene(measured=[completion(), completion()], natural_lengths=[8, 16])

    finding = verdict_of(AFTER_END, seen)

    assert is_flag(finding)
    assert finding.recorded == {"after_end_share": 8 / 32}


def test_an_end_token_among_the_tokens_is_a_natural_end() -> None:
    finding = verdict_of(AFTER_END, scene(measured=[completion()], log=EOG))

    assert finding.recorded == {"after_end_share": 9 / 16}


def test_text_up_to_its_natural_end_passes() -> None:
    seen = scene(measured=[completion()], natural_lengths=[400])

    assert verdict_of(AFTER_END, seen).verdict.passed


@pytest.mark.parametrize("gate", [SANE, REPETITION, AFTER_END], ids=lambda gate: gate.name)
def test_they_do_not_apply_where_nothing_was_observed(gate: Gate) -> None:
    assert gate.check(scene()) is None


def test_the_natural_end_is_no_question_where_no_sign_of_it_was_observed() -> None:
    assert AFTER_END.check(scene(measured=[completion()])) is None
