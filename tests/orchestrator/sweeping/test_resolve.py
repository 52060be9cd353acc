"""From names to contents, and from a candidate to the keys of its measurements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.sweeping.resolve import Resolver
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Space
from tests.orchestrator.sweeping.spaces import large_space
from tests.support.hosts import make_host, make_rig
from workers.contract.reports import RigReport

PLAIN = Candidate(model="small")
DRAFTING = Candidate(model="small", spec="draft-dflash", drafter="draft", n_max=4)


def resolver(space: Space | None = None, rig: RigReport | None = None, **how: Any) -> Resolver:
    """On a host where everything is found."""
    space, rig = space or large_space(), rig or make_rig()
    return Resolver(space, rig, make_host(space, [rig], **how))


def test_names_become_the_hashes_of_what_they_name() -> None:
    resolved = resolver().resolve(DRAFTING)
    assert (resolved.model, resolved.drafter) == ("sha-small", "sha-draft")
    assert resolved.engine.startswith("embedded-aaa")
    assert resolved.logits.startswith("logits-embedded-aaa")


@pytest.mark.parametrize(("asked", "done"), [(1, 1), (7, 7), (8, 7), (64, 7)])
def test_a_draft_is_no_longer_than_the_drafters_block(asked: int, done: int) -> None:
    resolved = resolver().resolve(replace(DRAFTING, n_max=asked))
    assert resolved.candidate.n_max == done


def test_without_a_known_block_a_draft_is_as_long_as_asked() -> None:
    resolved = resolver(block_size=None).resolve(replace(DRAFTING, n_max=64))
    assert resolved.candidate.n_max == 64


def test_equal_launches_have_one_identity_whatever_they_are_called() -> None:
    same = resolver(same_file={"big": "small"})
    assert same.identity(PLAIN) == same.identity(replace(PLAIN, model="big"))
    assert same.identity(PLAIN) != same.identity(replace(PLAIN, model="huge"))
    assert same.identity(DRAFTING) != same.identity(PLAIN)
    assert same.identity(replace(DRAFTING, n_max=9)) == same.identity(replace(DRAFTING, n_max=7))


def test_what_was_not_found_is_identified_by_its_names() -> None:
    unknown = replace(PLAIN, model="nowhere")
    assert resolver().identity(unknown) == unknown.asked_key


def test_a_text_is_one_measurement_whatever_the_draft_and_the_card() -> None:
    keys = [
        resolver(rig=rig).memo(resolver(rig=rig).resolve(candidate))[Facet.PERPLEXITY]
        for rig in (make_rig("a"), make_rig("b", card="RTX 3090"))
        for candidate in (PLAIN, DRAFTING, replace(PLAIN, ctx=8192))
    ]
    assert len(set(keys)) == 1


def test_a_speed_is_one_measurement_on_equal_rigs() -> None:
    def key(rig: RigReport, candidate: Candidate) -> str:
        there = resolver(rig=rig)
        return there.memo(there.resolve(candidate))[Facet.THROUGHPUT]

    a, twin, other = make_rig("a"), make_rig("b"), make_rig("c", card="RTX 3090")
    assert key(a, PLAIN) == key(twin, PLAIN)
    assert len({key(a, PLAIN), key(other, PLAIN), key(a, DRAFTING)}) == 3


def test_a_rebuilt_engine_measures_anew() -> None:
    before, after = resolver(), resolver(engine_sha="b" * 64)
    old, new = (r.memo(r.resolve(PLAIN)) for r in (before, after))
    assert not set(old.values()) & set(new.values())


def test_every_facet_that_the_space_wants_has_a_key() -> None:
    space = large_space(objectives="{tok_s: maximize, mem_peak_mib: minimize, kld_mean: minimize}")
    there = resolver(space)
    assert set(there.memo(there.resolve(PLAIN))) == space.facets
