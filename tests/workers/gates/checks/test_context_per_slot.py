"""context_per_slot: one request gets the context that was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.workers.gates.scenes import PLAIN, is_fatal, is_flag, scene, verdict_of
from workers.gates.base import Scene
from workers.gates.checks.context_per_slot import GATE


def seen(asked: int, given: int, **more: Any) -> Scene:
    return scene(replace(PLAIN, ctx=asked), slots=({"n_ctx": given},), **more)


@pytest.mark.parametrize(("asked", "given"), [(4096, 4096), (1000, 1024), (4000, 4096)])
def test_the_asked_context_padded_upwards_passes(asked: int, given: int) -> None:
    assert verdict_of(GATE, seen(asked, given)).verdict.passed


@pytest.mark.parametrize(
    ("asked", "given"), [(4096, 1024), (4096, 4095), (1000, 8192), (4096, 4352)]
)
def test_less_or_much_more_is_fatal(asked: int, given: int) -> None:
    finding = verdict_of(GATE, seen(asked, given))

    assert is_fatal(finding)
    assert str(given) in finding.verdict.detail


def test_the_slot_decides_over_the_defaults() -> None:
    props = {"default_generation_settings": {"n_ctx": 4096}}

    assert is_fatal(verdict_of(GATE, seen(4096, 1024, props=props)))


def test_builds_without_slots_are_asked_for_their_props() -> None:
    props = {"default_generation_settings": {"n_ctx": 4096}}

    assert verdict_of(GATE, scene(PLAIN, props=props)).verdict.passed


@pytest.mark.parametrize("props", [{}, {"default_generation_settings": []}])
def test_where_nothing_tells_the_numbers_are_flagged(props: dict[str, object]) -> None:
    assert is_flag(verdict_of(GATE, scene(PLAIN, props=props)))
