"""The front: significance, ties, and the properties that any front must have."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_rigs import Protocol, measure, prompt_times
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.dominance import dominates
from orchestrator.analysis.front import Level, front_of
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction
from tests.orchestrator.analysis.points import THREE, TWO, blurred, exact
from workers.contract.outcome import Estimate
from workers.statistics.rate import estimates

speeds, losses = st.floats(1, 1000), st.floats(1, 100)


@st.composite
def noisy_points(draw: st.DrawFn) -> list[Measured]:
    """Up to 12 candidates in three objectives, with noise of a common size."""
    share = draw(st.sampled_from([0.0, 0.002, 0.01, 0.05]))
    rows = draw(st.lists(st.tuples(speeds, losses, st.integers(1, 5)), min_size=1, max_size=12))
    return [
        blurred(i, share, tok_s=s, ppl=p, mem_peak_mib=float(m)) for i, (s, p, m) in enumerate(rows)
    ]


def ids(records: tuple[Measured, ...]) -> set[int]:
    return {record.trial_id for record in records}


def test_exact_numbers_give_the_classic_front() -> None:
    points = [
        exact(1, tok_s=100, ppl=10),
        exact(2, tok_s=90, ppl=9),
        exact(3, tok_s=90, ppl=10),
        exact(4, tok_s=80, ppl=9),
    ]
    assert ids(front_of(points, TWO).members) == {1, 2}


def test_a_dominated_candidate_names_the_member_that_beats_it() -> None:
    front = front_of([exact(1, tok_s=100, ppl=10), exact(2, tok_s=50, ppl=10)], TWO)
    place = front.place(2)
    assert place is not None
    assert (place.level, place.dominated_by) == (Level.DOMINATED, 1)


def test_a_difference_inside_the_noise_is_a_tie_not_a_defeat() -> None:
    points = [blurred(1, 0.02, tok_s=100, ppl=10), blurred(2, 0.02, tok_s=99, ppl=10)]
    front = front_of(points, TWO)
    assert {p.record.trial_id: p.level for p in front.placed} == {1: Level.FRONT, 2: Level.TIED}
    assert front.groups == ((1, 2),)


def test_a_perplexity_lead_inside_the_noise_does_not_save_a_slow_candidate() -> None:
    fast = blurred(1, 0.005, tok_s=100, ppl=10.0)
    slow = blurred(2, 0.005, tok_s=80, ppl=9.9996)
    assert ids(front_of([fast, slow], TWO).members) == {1}


def test_too_little_data_about_quality_does_not_push_the_better_one_out() -> None:
    fast = blurred(1, 0.05, tok_s=200, ppl=10.2)
    good = blurred(2, 0.05, tok_s=100, ppl=10.0)
    assert ids(front_of([fast, good], TWO).members) == {1, 2}


def test_without_any_interval_nothing_is_beaten() -> None:
    points = [
        Measured(i, "rig", Candidate(model="m"), estimates={"tok_s": Estimate("tok_s", v)})
        for i, v in ((1, 100.0), (2, 50.0))
    ]
    front = front_of(points, {"tok_s": Direction.MAXIMIZE})
    assert [place.level for place in front.placed] == [Level.FRONT, Level.TIED]


def test_an_objective_may_point_the_other_way() -> None:
    points = [exact(1, tok_s=100), exact(2, tok_s=50)]
    assert ids(front_of(points, {"tok_s": Direction.MINIMIZE}).members) == {2}


def test_capacity_can_be_an_objective() -> None:
    small = exact(1, Candidate(model="m", ctx=4096), tok_s=100)
    large = exact(2, Candidate(model="m", ctx=8192), tok_s=100)
    goals = {"tok_s": Direction.MAXIMIZE, "ctx": Direction.MAXIMIZE}
    assert ids(front_of([small, large], goals).members) == {2}


def test_failed_and_incomplete_records_take_no_part() -> None:
    failed = Measured(2, "rig", Candidate(model="m"), state=State.FAILED)
    front = front_of([exact(1, tok_s=1, ppl=1), failed, exact(3, tok_s=100)], TWO)
    assert [place.record.trial_id for place in front.placed] == [1]


def test_an_empty_sweep_has_an_empty_front() -> None:
    assert front_of([], TWO).members == ()


def test_paired_samples_show_what_the_spread_between_prompts_hides() -> None:
    rng = np.random.default_rng(0)
    how = Protocol(prompts=6, launch_sd=0.003, pass_sd=0.01)
    records = []
    for trial_id, rate in enumerate([100.0, 90.0, 89.0, 88.0, 87.0, 86.0, 85.0]):
        times = prompt_times(np.random.default_rng(1), how.prompts, rate)
        samples = measure(rng, times, how)
        made = {e.metric: e for e in (*estimates(samples), Estimate("ppl", 10.0, 10.0, 10.0))}
        records.append(
            Measured(trial_id, "rig", Candidate(model="m"), estimates=made, throughput=samples)
        )
    assert ids(front_of(records, TWO).members) == {0}


def test_equal_candidates_all_stay_in_95_per_cent_of_sweeps() -> None:
    rng = np.random.default_rng(11)
    how = Protocol(prompts=6, launch_sd=0.01, pass_sd=0.02)
    broken = 0
    for _ in range(60):
        times = prompt_times(rng, how.prompts)
        records = []
        for trial_id in range(16):
            samples = measure(rng, times, how)
            made = {e.metric: e for e in estimates(samples)}
            records.append(
                Measured(trial_id, "rig", Candidate(model="m"), estimates=made, throughput=samples)
            )
        front = front_of(records, {"tok_s": Direction.MAXIMIZE})
        broken += len(front.members) < len(records)
    assert broken <= 3


@given(noisy_points())
def test_no_member_is_significantly_dominated_by_another(points: list[Measured]) -> None:
    members, comparer = front_of(points, THREE).members, Comparer(points)
    assert not any(dominates(b, a, THREE, comparer) for a in members for b in members)


@given(noisy_points())
def test_everyone_outside_is_dominated_by_a_member(points: list[Measured]) -> None:
    front, comparer = front_of(points, THREE), Comparer(points)
    members = {record.trial_id: record for record in front.members}
    for place in front.placed:
        if not place.is_member:
            assert place.dominated_by is not None
            assert dominates(members[place.dominated_by], place.record, THREE, comparer)


@given(noisy_points(), st.randoms())
def test_the_order_of_the_records_does_not_matter(
    points: list[Measured], order: random.Random
) -> None:
    mixed = list(points)
    order.shuffle(mixed)
    assert front_of(mixed, THREE) == front_of(points, THREE)


@given(noisy_points(), st.data())
def test_adding_a_dominated_candidate_changes_nothing(
    points: list[Measured], data: st.DataObject
) -> None:
    front, comparer = front_of(points, THREE), Comparer(points)
    member = data.draw(st.sampled_from(front.members))
    share = 0.01
    extra = blurred(
        99,
        share,
        tok_s=(member.value("tok_s") or 0) * 0.8,
        ppl=(member.value("ppl") or 0) * 1.2,
        mem_peak_mib=member.value("mem_peak_mib") or 0,
    )
    if dominates(member, extra, THREE, comparer):
        more = front_of([*points, extra], THREE)
        assert ids(more.members) == ids(front.members)
        assert more.groups == front.groups


@given(noisy_points())
def test_some_member_is_always_a_leader(points: list[Measured]) -> None:
    assert front_of(points, THREE).leaders


@given(noisy_points())
def test_groups_hold_every_member_once(points: list[Measured]) -> None:
    front = front_of(points, THREE)
    grouped = [trial_id for group in front.groups for trial_id in group]
    assert sorted(grouped) == sorted(ids(front.members))


@given(st.lists(st.tuples(speeds, losses), min_size=1, max_size=20))
def test_exact_fronts_match_the_definition_of_pareto(rows: list[tuple[float, float]]) -> None:
    points = [exact(i, tok_s=s, ppl=p) for i, (s, p) in enumerate(rows)]
    best = {
        i
        for i, (s, p) in enumerate(rows)
        if not any(x >= s and y <= p and (x, y) != (s, p) for x, y in rows)
    }
    assert ids(front_of(points, TWO).members) == best


@pytest.mark.parametrize("share", [0.001, 0.02])
def test_a_member_never_loses_to_a_worse_copy_of_itself(share: float) -> None:
    points = [blurred(1, share, tok_s=100, ppl=10), blurred(2, share, tok_s=60, ppl=13)]
    assert ids(front_of(points, TWO).members) == {1}
