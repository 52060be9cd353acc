"""Leases: one engine on a card, quiet cores for speed, and a turn for everybody."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sweeping.leases import Leases, Need, need_of
from orchestrator.sweeping.pools.base import Finished
from search_spaces.metrics import Facet
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import ScriptedPool
from workers.contract.job import Job
from workers.contract.reports import RigKind

A, B = make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")
PAIR = replace(make_rig("pair"), cards=(*A.cards, *B.cards))
CPU = make_rig("cpu", RigKind.CPU)
SPEED, TEXT = (Facet.THROUGHPUT, Facet.MEMORY), (Facet.PERPLEXITY,)

needs = st.builds(
    Need,
    alone=st.frozensets(st.sampled_from("abcd"), min_size=1, max_size=3),
    shared=st.frozensets(st.sampled_from("xyz"), max_size=2),
)


# -- what excludes what --------------------------------------------------------------------------


def test_a_card_alone_and_in_a_pair_is_one_card() -> None:
    assert need_of(A, SPEED).conflicts(need_of(PAIR, TEXT))
    assert not need_of(A, SPEED).conflicts(need_of(B, SPEED))


def test_busy_cores_and_speed_on_a_card_do_not_meet() -> None:
    assert need_of(CPU, TEXT).conflicts(need_of(A, SPEED))
    assert need_of(CPU, SPEED).conflicts(need_of(A, SPEED))


def test_a_text_on_a_card_disturbs_nobody_elsewhere() -> None:
    assert not need_of(A, TEXT).conflicts(need_of(B, SPEED))
    assert not need_of(A, TEXT).conflicts(need_of(CPU, SPEED))


def test_hosts_have_cores_of_their_own() -> None:
    assert not need_of(replace(CPU, host="other"), SPEED).conflicts(need_of(A, SPEED))


# -- turns ---------------------------------------------------------------------------------------


def test_a_pair_is_not_starved_by_its_cards() -> None:
    leases = Leases()
    assert leases.take("a", need_of(A, SPEED))
    assert leases.take("b", need_of(B, SPEED))
    assert not leases.take("pair", need_of(PAIR, SPEED))
    leases.give_back("a")
    assert leases.in_turn(["a", "b", "pair"]) == ["pair", "a"]
    assert not leases.take("pair", need_of(PAIR, SPEED))
    assert not leases.take("a", need_of(A, SPEED)), "the pair came first"
    leases.give_back("b")
    assert leases.take("pair", need_of(PAIR, SPEED))


def test_who_waits_no_longer_holds_nobody_up() -> None:
    leases = Leases()
    leases.take("a", need_of(A, SPEED))
    leases.take("pair", need_of(PAIR, SPEED))
    leases.forget("pair")
    assert leases.take("b", need_of(B, SPEED))


@given(rigs=st.lists(needs, min_size=2, max_size=6), seed=st.integers(0, 10_000))
def test_nobody_is_overtaken_more_than_twice_by_anybody(rigs: list[Need], seed: int) -> None:
    """Every rig always wants its next job; jobs end in any order."""
    rng, leases = random.Random(seed), Leases()
    names = {str(index): need for index, need in enumerate(rigs)}
    overtaken = {name: dict.fromkeys(names, 0) for name in names}
    for _ in range(60):
        for name in leases.in_turn(names):
            if leases.take(name, names[name]):
                for waiting in set(names) - set(leases.running):
                    if names[waiting].conflicts(names[name]):
                        overtaken[waiting][name] += 1
                overtaken[name] = dict.fromkeys(names, 0)
        assert leases.running, "something always runs"
        held = list(leases.running.values())
        assert not any(x.conflicts(y) for i, x in enumerate(held) for y in held[:i])
        assert max(n for row in overtaken.values() for n in row.values()) <= 2
        leases.give_back(rng.choice(sorted(leases.running)))


# -- in a sweep ----------------------------------------------------------------------------------


class Watched(ScriptedPool):
    """Keeps which rigs worked at the same time, and the order in which they began."""

    def submit(self, rig: str, job: Job) -> None:
        """Notes it before it runs."""
        busy = {finished.rig for finished, _ in self._ended}
        assert not any(
            need_of(self._rigs[rig], job.facets).conflicts(need_of(self._rigs[other], SPEED))
            for other in busy
            if self._rigs[other].cards and self._rigs[rig].cards
        ), f"{rig} began while {busy} worked"
        super().submit(rig, job)

    def wait(self, timeout_s: float) -> list[Finished]:
        """One at a time: others go on."""
        ended, self._ended = self._ended[:1], self._ended[1:]
        return [finished for finished, _ in ended]


def test_a_sweep_over_two_cards_and_their_pair(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B, PAIR])
    pool = Watched(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert {rig: len(left.of(rig)) for rig in ("a", "b", "pair")} == {"a": 6, "b": 6, "pair": 6}
    speeds = [run.rig for run in pool.runs if Facet.THROUGHPUT in run.facets]
    assert "pair" in speeds[:5], "the pair got its turn before the singles were through"


def test_a_sweep_over_a_card_and_the_cores(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, CPU])
    bench.run(ScriptedPool(bench.host))
    assert {len(assert_finished(bench).of(rig)) for rig in ("a", "cpu")} == {6}
