"""A driver killed at any moment and started again: as if nothing had happened."""

from __future__ import annotations

import functools
import shutil
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db.states import JobState, SweepState
from db.states import TrialState as Row
from search_spaces.candidate import Candidate
from search_spaces.space import Space
from tests.orchestrator.sweeping.canonical import Facts, facts, measured
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.killing import Killed, broken_at_step, photographed
from tests.orchestrator.sweeping.laboratory import Bench, Left
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import Surface, Truth, failing, redirecting
from workers.contract.job import Job
from workers.contract.reports import RigReport


@dataclass(frozen=True)
class Scene:
    """A sweep in which much happens: `make` gives its space, `surface` what is measured."""

    space: Space
    surface: Surface
    rigs: tuple[RigReport, ...] = ()
    faults: tuple[Fault, ...] = ()

    def bench(self, path: Path) -> Bench:
        """The sweep on a database file."""
        return Bench.make(path, self.space, self.rigs)

    def pool(self, seed: int = 0) -> ScriptedPool:
        """A pool that has measured nothing yet."""
        bench = self.bench(Path("unused.db"))
        return ScriptedPool(bench.host, self.surface, faults=self.faults, seed=seed)


def eventful(candidate: Candidate, rig: RigReport) -> Truth:
    """One candidate runs out of memory, and one turns out to be another."""
    redirected = redirecting(lambda c: c.kv == "q8_0/q8_0" and c.drafts, {"kv_v": "q5_1"})
    return failing(lambda c, r: c.n_max == 6, surface=redirected)(candidate, rig)


def lost_once(job: Job, before: int) -> bool:
    """The first job of a drafting candidate loses its worker."""
    return job.resolved.candidate.drafts and before == 0


SCENES = {
    # Limits keep candidates from stopping early, which would depend on the order.
    "one rig, absolute goals": Scene(
        make_space(
            "kv: [q8_0/q8_0, q8_0/q5_1], n_max: [4, 6]",
            fixed="model: small, drafter: draft, spec: draft-dflash",
            forbid="[\"n_max == 6 and kv == 'q8_0/q5_1'\"]",
            constraints="['tok_s >= 107']",
            # Asked for first, so that the redirected one turns out to be a known launch.
            baseline="{fix: {kv: q8_0/q5_1, n_max: 4}, per: [rig, model]}",
        ),
        eventful,
    ),
    "two rigs, goals that refer to the baseline": Scene(
        make_space(
            "kv: [q4_0/q4_0], n_max: [2]",
            fixed="model: small, drafter: draft, spec: draft-dflash",
            objectives="{speedup: maximize, ppl_delta_pct: minimize}",
            constraints="['ppl_delta_pct <= 1']",
        ),
        failing(lambda c, rig: rig.name == "a" and c.kv_k == "q4_0"),
        (make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")),
        (Fault(lost_once),),
    ),
}


@pytest.mark.parametrize("name", SCENES, ids=["one-rig", "two-rigs"])
def test_killed_at_any_commit_it_ends_as_if_it_had_not_been(
    name: str, database: Path, tmp_path: Path
) -> None:
    scene, album = SCENES[name], tmp_path / "album"
    album.mkdir()
    bench = scene.bench(database)
    with photographed(database, album) as pictures:
        bench.run(scene.pool())
    assert_eventful(assert_finished(bench), name)
    undisturbed = facts(database)
    for moment, picture in enumerate(pictures):
        before = measured(picture)
        pool = scene.pool(seed=moment)
        try:
            replace(bench, path=picture).run(pool)
            assert facts(picture) == undisturbed
            assert not before & {key for job in pool.jobs for key in job.memo.values()}
        except BaseException as error:
            error.add_note(f"killed before commit {moment} of {len(pictures) - 1}")
            raise


def assert_eventful(left: Left, name: str) -> None:
    """The scene shows what it is meant to: otherwise killing it proves little."""
    states = {trial.state for trial in left.trials}
    if name == "one rig, absolute goals":
        assert states == {Row.COMPLETE, Row.FAILED, Row.REPLAYED}
        assert left.known_launches == 1
    else:
        assert states == {Row.COMPLETE, Row.FAILED}
        assert {job.attempt for job in left.jobs} == {1, 2}


@functools.cache
def undisturbed_facts(name: str, empty: Path) -> Facts:
    """What a scene ends with when nothing breaks."""
    path = empty.with_name(f"{abs(hash(name))}.db")
    shutil.copy(empty, path)
    SCENES[name].bench(path).run(SCENES[name].pool())
    return facts(path)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(SCENES)),
    breaks=st.lists(st.tuples(st.integers(0, 45), st.booleans()), min_size=1, max_size=2),
)
def test_broken_again_and_again_at_any_step_it_still_ends_whole(
    name: str, breaks: list[tuple[int, bool]], empty_database: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{uuid.uuid4().hex}.db"
    shutil.copy(empty_database, path)
    bench = SCENES[name].bench(path)
    for step, after in breaks:
        with broken_at_step(step, after):
            try:
                bench.run(SCENES[name].pool())
            except Killed:
                left = bench.left()
                assert left.sweep.state is SweepState.INTERRUPTED
                assert JobState.RUNNING not in {job.state for job in left.jobs}
    bench.run(SCENES[name].pool())
    assert facts(path) == undisturbed_facts(name, empty_database)
