"""Candidates: names, canonical form, and keys that last."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.candidate import CANDIDATE_FIELDS, Candidate, digest, ignored_by
from search_spaces.parameters import candidate_of

DRAFTING = Candidate(
    model="builtin:target",
    spec="draft-dflash",
    drafter="builtin:drafter",
    draft_kv_k="q8_0",
    draft_kv_v="q5_1",
    draft_device="CUDA1",
    n_max=4,
    n_min=1,
    p_min=0.5,
    controller="off",
)


def test_the_asked_key_never_changes() -> None:
    """Databases hold these: a change of this literal is a change of every stored key."""
    assert Candidate(model="builtin:target").asked_key == "4083166ede0aa468"
    assert DRAFTING.asked_key == "d0738982918c33dc"


def test_a_setting_that_is_not_set_is_not_part_of_the_key() -> None:
    """So a field that a later version adds leaves old keys as they are."""
    assert "threads" not in DRAFTING.as_dict()
    assert DRAFTING.asked_key == digest(DRAFTING.as_dict())


def test_a_whole_probability_is_a_probability() -> None:
    assert Candidate(model="m", p_min=0).asked_key == Candidate(model="m", p_min=0.0).asked_key


def test_as_dict_and_from_dict_are_inverse() -> None:
    assert Candidate.from_dict(json.loads(json.dumps(DRAFTING.as_dict()))) == DRAFTING


def test_a_name_of_another_version_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        Candidate.from_dict({"model": "m", "warp": 9})


def test_without_speculation_nothing_about_drafts_is_kept() -> None:
    plain = candidate_of({**DRAFTING.as_dict(), "spec": "none"})
    assert plain == Candidate(model="builtin:target")


@pytest.mark.parametrize("spec", ["ngram-mod", "draft-mtp", "ngram-cache,ngram-mod"])
def test_speculation_without_a_second_model_drops_the_drafter_only(spec: str) -> None:
    kept = candidate_of({**DRAFTING.as_dict(), "spec": spec})
    assert (kept.drafter, kept.draft_kv_k, kept.draft_kv_v, kept.draft_device) == (None,) * 4
    assert (kept.n_max, kept.n_min, kept.p_min, kept.controller) == (4, 1, 0.5, "off")


@pytest.mark.parametrize("spec", ["draft-dflash", "draft-simple", "ngram-mod,draft-dflash"])
def test_speculation_with_a_second_model_keeps_everything(spec: str) -> None:
    kept = candidate_of({**DRAFTING.as_dict(), "spec": spec})
    assert kept.as_dict() == {**DRAFTING.as_dict(), "spec": spec}


def test_a_pair_is_shown_as_people_write_it() -> None:
    assert Candidate(model="m", kv_k="q8_0", kv_v="q5_1").kv == "q8_0/q5_1"


@given(spec=st.sampled_from(["none", "ngram-mod", "draft-dflash", "draft-simple,ngram-mod"]))
def test_canonical_is_what_ignored_by_says_and_is_stable(spec: str) -> None:
    candidate = Candidate.from_dict({**DRAFTING.as_dict(), "spec": spec})
    once = candidate.canonical()
    assert once == once.canonical() == candidate_of(candidate.as_dict())
    lost = {n for n in CANDIDATE_FIELDS if getattr(once, n) != getattr(candidate, n)}
    assert lost == ignored_by(spec)
