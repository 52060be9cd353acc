"""kv_types_allocated and draft_kv_types_allocated: caches have the types that were asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.gates import logs
from tests.workers.gates.scenes import DFLASH, PLAIN, is_flag, scene, verdict_of
from workers.gates.checks.draft_kv_types_allocated import GATE as DRAFT
from workers.gates.checks.kv_types_allocated import GATE

WITH_DRAFTER = logs.KV_NOW + logs.LOADS_DRAFTER + logs.KV_OF_DRAFTER


def test_the_asked_types_pass() -> None:
    asked = replace(PLAIN, kv_k="q8_0", kv_v="q5_1")

    assert verdict_of(GATE, scene(asked, log=logs.KV_NOW)).verdict.passed


def test_the_cache_of_the_drafter_is_not_taken_for_the_targets() -> None:
    asked = replace(DFLASH, kv_k="q8_0", kv_v="q5_1")

    assert verdict_of(GATE, scene(asked, log=WITH_DRAFTER)).verdict.passed


@pytest.mark.parametrize(
    ("kv_k", "kv_v", "log", "effective"),
    [
        ("turbo4", "turbo3_tcq", logs.KV_KVARN, {"kv_k": "kvarn4", "kv_v": "kvarn3"}),
        ("kvarn4", "turbo3_tcq", logs.KV_KVARN, {"kv_v": "kvarn3"}),
        ("q4_0", "q5_1", logs.KV_NOW, {"kv_k": "q8_0"}),
    ],
)
def test_a_redirected_type_is_flagged_and_stored_under_its_true_name(
    kv_k: str, kv_v: str, log: str, effective: dict[str, str]
) -> None:
    finding = verdict_of(GATE, scene(replace(PLAIN, kv_k=kv_k, kv_v=kv_v), log=log))

    assert is_flag(finding)
    assert finding.effective == effective


def test_a_half_without_a_cache_cannot_differ() -> None:
    asked = replace(PLAIN, kv_k="q8_0", kv_v="q8_0")

    assert verdict_of(GATE, scene(asked, log=logs.KV_LATENT)).verdict.passed


def test_a_log_without_a_word_flags() -> None:
    assert is_flag(verdict_of(GATE, scene(log="main: model loaded\n")))


def test_the_drafters_asked_types_pass() -> None:
    asked = replace(DFLASH, draft_kv_k="f16", draft_kv_v="f16")

    assert verdict_of(DRAFT, scene(asked, log=WITH_DRAFTER)).verdict.passed


def test_a_redirected_type_of_the_drafter_is_flagged_and_stored() -> None:
    finding = verdict_of(DRAFT, scene(replace(DFLASH, draft_kv_k="turbo3"), log=WITH_DRAFTER))

    assert is_flag(finding)
    assert finding.effective == {"draft_kv_k": "f16"}


@pytest.mark.parametrize(
    "log", [WITH_DRAFTER, logs.KV_NOW], ids=["nothing was asked", "no cache of its own"]
)
def test_the_drafters_types_are_no_question_where_nobody_asked_or_it_has_none(log: str) -> None:
    asked = DFLASH if log is WITH_DRAFTER else replace(DFLASH, draft_kv_k="q8_0")

    assert DRAFT.check(scene(asked, log=log)) is None
