"""speculation_engaged: who was asked to draft, drafts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search_spaces.candidate import Candidate
from tests.workers.gates.scenes import (
    DFLASH,
    PLAIN,
    completion,
    is_fatal,
    is_flag,
    scene,
    verdict_of,
)
from workers.gates.base import Scene
from workers.gates.checks.speculation_engaged import GATE

SPECULATES = ({"id": 0, "speculative": True},)
NGRAM = replace(PLAIN, spec="ngram-mod")


def seen(candidate: Candidate, *drafted: int, slots: object = SPECULATES, **more: Any) -> Scene:
    canaries = [completion(draft_n=n, draft_n_accepted=n // 2) for n in drafted]
    return scene(candidate, canaries=canaries, slots=slots, **more)


def test_drafts_on_both_canaries_pass() -> None:
    assert verdict_of(GATE, seen(DFLASH, 70, 70)).verdict.passed


@pytest.mark.parametrize("drafted", [(0, 0), (70, 0), (0, 70)])
def test_a_canary_without_drafts_is_fatal(drafted: tuple[int, int]) -> None:
    assert is_fatal(verdict_of(GATE, seen(DFLASH, *drafted)))


def test_slots_that_do_not_speculate_are_fatal() -> None:
    assert is_fatal(verdict_of(GATE, seen(DFLASH, 70, 70, slots=({"speculative": False},))))


def test_forks_without_that_field_are_judged_by_their_drafts() -> None:
    assert verdict_of(GATE, seen(DFLASH, 70, 70, slots=({"id": 0},))).verdict.passed
    assert is_fatal(verdict_of(GATE, seen(DFLASH, 0, 0, slots=())))


@pytest.mark.parametrize(
    "line",
    [
        "W srv load_model: speculative decoding not supported by this context\n",
        "W srv load_model: failed to initialize speculative decoding context: no such layer\n",
        "I spec common_specu: no implementations specified for speculative decoding\n",
    ],
)
def test_the_line_in_which_a_server_gives_up_is_the_evidence(line: str) -> None:
    finding = verdict_of(GATE, seen(DFLASH, 0, 0, log=f"I srv: before\n{line}I srv: after\n"))

    assert is_fatal(finding)
    assert finding.verdict.detail == line.strip()


@pytest.mark.parametrize(
    "candidate",
    [NGRAM, replace(DFLASH, p_min=0.9), replace(DFLASH, controller="on")],
    ids=["ngram", "p_min", "controller"],
)
def test_who_may_hold_back_is_flagged_for_no_drafts_and_passes_with_some(
    candidate: Candidate,
) -> None:
    assert is_flag(verdict_of(GATE, seen(candidate, 0, 0)))
    assert verdict_of(GATE, seen(candidate, 0, 53)).verdict.passed


def test_holding_back_is_no_excuse_where_the_server_does_not_say_that_it_speculates() -> None:
    assert is_fatal(verdict_of(GATE, seen(NGRAM, 0, 0, slots=())))


def test_builds_that_count_drafts_in_metrics_only_are_flagged() -> None:
    name = "spec_decode_num_draft_tokens_total"

    finding = verdict_of(
        GATE, seen(DFLASH, 0, 0, metrics_before={name: 5.0}, metrics_after={name: 75.0})
    )

    assert is_flag(finding)
    assert "70" in finding.verdict.detail


def test_without_canaries_nothing_is_known() -> None:
    assert is_flag(verdict_of(GATE, seen(DFLASH)))


def test_it_does_not_apply_without_speculation() -> None:
    assert GATE.check(seen(PLAIN, 0, 0)) is None
