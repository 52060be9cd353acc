"""What is said about a sweep: on a rig where speculation loses, and on one where it pays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.analysis.front import Level
from orchestrator.analysis.summary import GroupSummary, summarise
from search_spaces.load import loads
from tests.orchestrator.analysis.synthetic import space, sweep

LOSES = summarise(sweep(), space()).groups[0]
PAYS = summarise(sweep("rtx5090", base=180, gain=0.9), space()).groups[0]


def saying(group: GroupSummary, words: str) -> str:
    return next(sentence for sentence in group.sentences if words in sentence)


def test_it_says_that_speculation_loses_with_numbers() -> None:
    assert LOSES.headline.startswith("With draft-dflash the best is ")
    assert "on this CPU speculation loses." in LOSES.headline


def test_it_says_that_speculation_gains() -> None:
    assert "on rtx5090 speculation gains." in PAYS.headline


def test_acceptance_is_mentioned_but_does_not_rank() -> None:
    assert "of the drafted tokens were accepted" in LOSES.headline
    assert not any(p.record.candidate.drafts for p in LOSES.front.placed if p.is_member)


def test_a_gain_inside_the_noise_is_no_difference_shown() -> None:
    records = [r for r in sweep(gain=0.06) if r.candidate.n_max in (None, 3)]
    assert "no difference shown on this CPU" in summarise(records, space()).groups[0].headline


def test_without_a_plain_candidate_no_gain_is_claimed() -> None:
    records = [r for r in sweep() if r.candidate.drafts]
    assert "cannot be stated" in summarise(records, space()).groups[0].headline


def test_k_v_types_are_described_by_their_cost() -> None:
    assert "(no difference shown)" in saying(LOSES, "K/V q8_0/q8_0 instead of f16/f16")
    assert "no difference" not in saying(LOSES, "K/V q4_0/q4_0").split(",")[0]


def test_failures_are_counted_by_kind() -> None:
    assert saying(LOSES, "measured,") == (
        "91 candidates measured, 3 failed (3× out of memory), 2 ruled out before launch."
    )


def test_repeatability_is_stated() -> None:
    assert "Launches of one configuration differ by 0." in saying(LOSES, "Launches")


def test_the_front_holds_the_fast_drafts_and_their_ties() -> None:
    levels = [place.level for place in PAYS.front.placed]
    assert levels.count(Level.FRONT) + levels.count(Level.TIED) <= 20
    assert all(record.candidate.drafts for record in PAYS.front.leaders)


def test_each_rig_has_its_own_front() -> None:
    both = summarise([*sweep(), *sweep("rtx5090", first_id=1000)], space())
    assert [group.title for group in both.groups] == ["cpu", "rtx5090"]


def test_each_context_has_its_own_front_unless_it_is_an_objective() -> None:
    longer = [
        replace(r, trial_id=r.trial_id + 1000, candidate=replace(r.candidate, ctx=8192))
        for r in sweep()
    ]
    records = [*sweep(), *longer]
    titles = [group.title for group in summarise(records, space()).groups]
    assert titles == ["cpu, ctx 2,048", "cpu, ctx 8,192"]
    goals = "{tok_s: maximize, ppl: minimize, ctx: maximize}"
    wide = loads(f"name: x\nfixed: {{model: m}}\nobjectives: {goals}\n")
    assert [group.title for group in summarise(records, wide).groups] == ["cpu"]


def test_a_broken_constraint_keeps_a_candidate_off_the_front() -> None:
    limited = space().model_copy(update={"constraints": ("ppl <= 25",)})
    group = summarise(sweep(), limited).groups[0]
    assert all((record.value("ppl") or 0) <= 25 for record in group.front.members)
    assert group.over_limit == 30


def test_single_launches_are_said_to_show_nothing() -> None:
    bare = [
        replace(
            r,
            throughput=(),
            estimates={n: replace(e, low=None, high=None) for n, e in r.estimates.items()},
        )
        for r in sweep()
    ]
    group = summarise(bare, space()).groups[0]
    assert "their differences cannot be shown" in saying(group, "without an interval")


def test_an_empty_sweep_can_be_summarised() -> None:
    assert summarise([], space()).groups == ()


@pytest.mark.parametrize("group", [LOSES, PAYS])
def test_every_sentence_ends_like_one(group: GroupSummary) -> None:
    assert all(sentence.endswith(".") for sentence in group.sentences)
