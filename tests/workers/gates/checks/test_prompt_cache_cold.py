"""prompt_cache_cold: every timed prompt was read."""

from __future__ import annotations

from tests.workers.gates.scenes import completion, is_fatal, is_flag, scene, verdict_of
from workers.gates.checks.prompt_cache_cold import GATE


def test_prompts_read_whole_pass() -> None:
    assert verdict_of(GATE, scene(measured=[completion(cache_n=0)] * 3)).verdict.passed


def test_one_cached_prompt_is_fatal() -> None:
    seen = scene(measured=[completion(cache_n=0), completion(cache_n=39)])

    finding = verdict_of(GATE, seen)

    assert is_fatal(finding)
    assert "39" in finding.verdict.detail


def test_builds_that_do_not_say_give_themselves_away_on_the_repeated_canary() -> None:
    silent = completion(cache_n=None)
    canaries = [completion(cache_n=None, prompt_n=40), completion(cache_n=None, prompt_n=1)]

    assert is_fatal(verdict_of(GATE, scene(measured=[silent], canaries=canaries)))


def test_builds_that_do_not_say_pass_when_the_canary_is_read_whole_again() -> None:
    silent = completion(cache_n=None)

    assert verdict_of(GATE, scene(measured=[silent], canaries=[silent] * 2)).verdict.passed


def test_without_any_sign_the_numbers_are_flagged() -> None:
    assert is_flag(verdict_of(GATE, scene(measured=[completion(cache_n=None)])))


def test_it_does_not_apply_before_anything_was_timed() -> None:
    assert GATE.check(scene(canaries=[completion()])) is None
