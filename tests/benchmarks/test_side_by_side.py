"""Sums over the jobs of a simulated fleet mean the same for every tool."""

from __future__ import annotations

import pytest

from benchmarks.side_by_side.fleet import CARDS, KINDS, RIGS, Entry, exact
from benchmarks.side_by_side.ours import SPACE
from benchmarks.side_by_side.outcome import outcome, share
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments

ONE, OTHER = (
    Candidate("q3", drafter="draft", kv_k=kv, kv_v=kv, ctx=16384, ubatch=128)
    for kv in ("q8_0", "q4_0")
)


def entry(rig: str, candidate: Candidate, begin: float, **more: bool) -> Entry:
    lost = more.get("died", False) or more.get("text", False)
    values = None if lost else exact(candidate, CARDS[rig])
    return Entry(rig, candidate.as_dict(), begin, begin + 1.0, values, **more)


def test_everything_there_is_is_the_whole() -> None:
    every = [candidate_of(assignment) for assignment in assignments(SPACE)]
    for kind in set(KINDS.values()):
        assert share(every, kind) == 1.0


def test_what_does_not_fit_is_worth_nothing() -> None:
    large = Candidate("q6", drafter="draft", kv_k="f16", kv_v="f16", ctx=65536)
    assert exact(large, CARDS["rig3"]) is None
    assert share([large], KINDS["rig3"]) == 0.0


def test_a_rig_works_while_its_jobs_run() -> None:
    jobs = [entry(rig, ONE, begin) for rig in RIGS for begin in (1.0, 3.0)]
    whole = outcome(jobs, None, 0.0, 5.0)
    assert whole.worked == pytest.approx(2 / 5)
    assert whole.worked_steady == pytest.approx(2 / 3)
    assert whole.gap_s == pytest.approx(1.0)


def test_equal_cards_that_measure_the_same_repeat_each_other() -> None:
    jobs = [entry(rig, ONE, 0.0) for rig in RIGS]
    assert outcome(jobs, None, 0.0, 1.0).repeats == 2, "there are two of each kind"


def test_on_purpose_is_not_by_accident() -> None:
    jobs = [entry(rig, (ONE, OTHER)[i % 2], 0.0) for i, rig in enumerate(RIGS)]
    jobs.append(entry("rig0", ONE, 2.0, again=True))
    done = outcome(jobs, None, 0.0, 3.0)
    assert (done.repeats, done.on_purpose) == (0, 1)


def test_a_trial_that_nobody_tried_again_is_lost() -> None:
    jobs = [entry(rig, OTHER, 0.0) for rig in RIGS]
    dead = entry("rig0", ONE, 2.0, died=True)
    assert outcome([*jobs, dead], None, 0.0, 3.0).lost == 1
    assert outcome([*jobs, dead, entry("rig0", ONE, 4.0)], None, 0.0, 5.0).lost == 0
