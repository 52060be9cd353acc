"""Finalists measured again: what is true survives, what was luck does not, the sweep stays."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from db.database import open_database
from db.states import ClaimVerdict, JobState, SweepState
from db.verification_rows import ClaimRow, VerificationRow
from orchestrator.analysis.collect import collect
from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.stamp import stamp
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import summarise
from orchestrator.cli.verify import finalists
from orchestrator.sweeping.session import this_driver
from orchestrator.sweeping.verifying.entry import NotTheSameError
from orchestrator.sweeping.verifying.plan import plan_verification
from orchestrator.sweeping.verifying.run import Verifier, tidy
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.canonical import facts
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import OUT_OF_MEMORY, Surface, Truth, failing, plain
from workers.contract.errors import OrchestrateError
from workers.contract.reports import HostReport, RigReport

LUCKY = "q8_0/q8_0"


def swept(database: Path, surface: Surface = plain, rigs: Iterable[RigReport] = ()) -> Bench:
    """A finished sweep."""
    bench = Bench.make(database, make_space(), tuple(rigs))
    bench.run(ScriptedPool(bench.host, surface))
    return bench


def verified(
    bench: Bench,
    pool: ScriptedPool,
    names: Iterable[str] = (),
    host: HostReport | None = None,
    stopping: threading.Event | None = None,
    launches: int = 4,
) -> tuple[ClaimRow, ...]:
    """The claims that a verification judged."""
    with open_database(str(bench.path)) as database:
        sweep = database.sweeps.latest()
        assert sweep is not None
        summary = summarise(collect(database, sweep), sweep.space)
        picked = finalists(summary, list(names))
        plan = plan_verification(
            sweep, picked, summary.records, host or bench.host, database, launches, seed=7
        )
        members = {r.trial_id for group in summary.groups for r in group.front.members}
        verifier = Verifier(
            plan, database, pool, bench.path.parent / "logs", stopping=stopping or threading.Event()
        )
        return verifier.run(summary.records, members)


def stored(bench: Bench) -> tuple[VerificationRow, ...]:
    """Every verification, newest first."""
    with open_database(str(bench.path), read_only=True) as database:
        return database.verifications.of(1)


def records(bench: Bench) -> tuple[Measured, ...]:
    """What analysis reads afterwards."""
    with open_database(str(bench.path), read_only=True) as database:
        sweep = database.sweeps.latest()
        assert sweep is not None
        return collect(database, sweep)


def lucky(candidate: Candidate, rig: RigReport) -> Truth:
    """In the sweep one plain candidate seems 10 % faster than it is."""
    truth = plain(candidate, rig)
    luck = 1.1 if candidate.kv == LUCKY and not candidate.drafts else 1.0
    return replace(truth, tok_s=truth.tok_s * luck)


def of_kind(claims: Iterable[ClaimRow], kind: str) -> list[ClaimRow]:
    """The claims of one kind."""
    return [claim for claim in claims if claim.kind == kind]


def test_what_is_true_survives(database: Path) -> None:
    bench = swept(database)
    claims = verified(bench, ScriptedPool(bench.host, seed=5))
    assert {claim.kind for claim in claims} == {"faster", "front", "rate"}
    assert {claim.verdict for claim in claims} == {ClaimVerdict.SURVIVED}
    (faster, *_) = of_kind(claims, "faster")
    assert faster.value == pytest.approx(1.8, rel=0.05)
    assert faster.claimed is not None and faster.claimed < 1.8


def test_a_winner_that_was_noise_is_refuted(database: Path) -> None:
    bench = swept(database, lucky)
    key = next(
        r.candidate.asked_key
        for r in records(bench)
        if r.candidate.kv == LUCKY and not r.candidate.drafts
    )
    claims = verified(bench, ScriptedPool(bench.host), [key])
    (faster,) = of_kind(claims, "faster")
    (rate, *_) = (c for c in of_kind(claims, "rate") if c.trial_id == faster.trial_id)
    assert faster.verdict is ClaimVerdict.REFUTED
    assert rate.verdict is ClaimVerdict.REFUTED
    assert "slower (" in rate.sentence
    (record,) = (r for r in records(bench) if r.candidate.asked_key == key)
    assert not record.verified
    lines = stamp(ExportRequest(record, ("llama-server",), "title", "name"))
    assert lines[-1].startswith("verification failed 20")


def test_a_verified_candidate_is_stamped_with_figures(database: Path) -> None:
    bench = swept(database)
    verified(bench, ScriptedPool(bench.host), ["fastest"])
    (record,) = (r for r in records(bench) if r.verification and not r.is_baseline)
    assert record.verified
    lines = stamp(ExportRequest(record, ("llama-server",), "title", "name"))
    assert lines[-1].startswith("verified 20")
    assert "× the baseline" in lines[-1] and "tok/s (" in lines[-1]


def test_launches_alternate_in_an_order_that_the_seed_repeats(database: Path) -> None:
    bench = swept(database)
    pool = ScriptedPool(bench.host)
    verified(bench, pool)
    candidates = [run.candidate for run in pool.runs]
    each = len(set(candidates))
    rounds = [candidates[i : i + each] for i in range(0, len(candidates), each)]
    assert [len(set(one)) for one in rounds] == [each] * 4
    assert len({tuple(one) for one in rounds}) > 1
    assert {job.recipe.throughput.launches for job in pool.jobs} == {1}
    again = ScriptedPool(bench.host)
    verified(bench, again)
    assert [run.candidate for run in again.runs] == candidates
    assert {row.seed for row in stored(bench)} == {7}


def test_the_sweep_stays_as_it_was(database: Path) -> None:
    bench = swept(database)
    before = facts(database)
    trials = [(r.trial_id, r.throughput) for r in records(bench)]
    verified(bench, ScriptedPool(bench.host))
    after = facts(database)
    assert (after.trials, after.open) == (before.trials, 0)
    assert before.deliveries.items() <= after.deliveries.items()
    assert set(after.deliveries.values()) == {1}
    assert [(r.trial_id, r.throughput) for r in records(bench)] == trials
    (row,) = stored(bench)
    with open_database(str(database), read_only=True) as opened:
        samples = opened.memo.samples_for(key for run in row.runs for key in run.memo.values())
    assert all(any(key in samples for key in run.memo.values()) for run in row.runs)


def test_stopped_it_says_nothing_and_the_next_one_begins_anew(database: Path) -> None:
    bench = swept(database)
    stopping = threading.Event()
    pool = ScriptedPool(bench.host)
    wait = pool.wait

    def wait_then_stop(timeout_s: float) -> list[object]:
        if len(pool.runs) == 3:
            stopping.set()
        return list(wait(timeout_s))

    pool.wait = wait_then_stop  # type: ignore[method-assign, assignment]
    before = facts(database)
    with pytest.raises(KeyboardInterrupt):
        verified(bench, pool, stopping=stopping)
    assert facts(database).trials == before.trials
    assert facts(database).open == 0
    assert [row.state for row in stored(bench)] == [SweepState.INTERRUPTED]
    assert not any(record.verification for record in records(bench))
    verified(bench, ScriptedPool(bench.host))
    assert [row.state for row in stored(bench)] == [SweepState.FINISHED, SweepState.INTERRUPTED]


def test_what_a_killed_one_left_is_tidied_up(database: Path, tmp_path: Path) -> None:
    bench = swept(database)
    verified(bench, ScriptedPool(bench.host))
    with open_database(str(database)) as opened:
        gone = replace(this_driver(), pid_started=0.0)  # a process of this host that is no more
        (done,) = opened.verifications.of(1)
        job_id = next(run.job_id for run in done.runs if run.job_id)
        left = opened.verifications.start(1, gone, 1, 4, done.runs)
        opened.verifications.begin(left, done.runs[0], job_id)
        tidy(opened, tmp_path, this_driver())
    assert [row.state for row in stored(bench)] == [SweepState.INTERRUPTED, SweepState.FINISHED]


def test_one_launch_that_is_lost_is_repeated(database: Path) -> None:
    bench = swept(database)
    pool = ScriptedPool(bench.host, faults=[Fault(lambda job, before: job.attempt == 1)])
    claims = verified(bench, pool, ["fastest"])
    assert {claim.verdict for claim in claims} == {ClaimVerdict.SURVIVED}
    assert Counter(run.attempt for run in pool.runs) == {1: 8, 2: 8}


def test_what_cannot_be_launched_again_has_lost_its_claims(database: Path) -> None:
    bench = swept(database)
    broken = failing(lambda c, r: c.drafts, OUT_OF_MEMORY)
    claims = verified(bench, ScriptedPool(bench.host, broken), ["fastest"])
    lost = [claim for claim in claims if claim.trial_id == claims[-1].trial_id]
    assert {claim.verdict for claim in lost} == {ClaimVerdict.REFUTED}
    assert "it could not be measured again: cudaMalloc failed" in lost[0].sentence
    (row,) = stored(bench)
    with open_database(str(database), read_only=True) as opened:
        ended = [opened.jobs.get(run.job_id) for run in row.runs if run.job_id]
    assert {job.state for job in ended if job} == {JobState.FAILED, JobState.DONE}


def test_a_rebuilt_engine_is_refused(database: Path) -> None:
    bench = swept(database)
    rebuilt = make_host(bench.space, engine_sha="b" * 64)
    with pytest.raises(NotTheSameError, match="The engine embedded was rebuilt since the sweep"):
        verified(bench, ScriptedPool(rebuilt), host=rebuilt)
    assert stored(bench) == ()


def test_a_changed_model_is_refused(database: Path) -> None:
    bench = swept(database)
    changed = make_host(bench.space, same_file={"small": "another"})
    with pytest.raises(NotTheSameError, match="The model small has changed since the sweep"):
        verified(bench, ScriptedPool(changed), host=changed)


def test_another_card_under_the_rigs_name_is_refused(database: Path) -> None:
    bench = swept(database)
    other = make_host(bench.space, [make_rig(card="NVIDIA GeForce RTX 3090")])
    with pytest.raises(NotTheSameError, match="other hardware"):
        verified(bench, ScriptedPool(other), host=other)


def test_a_rig_of_another_machine_or_of_a_fleet_is_refused(database: Path) -> None:
    bench = swept(database, rigs=[make_rig("lab2.gpu")])
    here = replace(bench.host, rigs=(make_rig("gpu"),))
    with pytest.raises(
        OrchestrateError, match=r"lab2\.gpu of the sweep is not on this machine"
    ) as e:
        verified(bench, ScriptedPool(bench.host), host=here)
    assert "--address" in e.value.hint


def test_simulated_results_are_refused(database: Path) -> None:
    bench = swept(database, rigs=[replace(make_rig(), simulated=True)])
    with pytest.raises(OrchestrateError, match="is simulated"):
        verified(bench, ScriptedPool(bench.host))


def test_every_rig_of_the_sweep_verifies_its_own(database: Path) -> None:
    rigs = (make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090"))
    bench = swept(database, rigs=rigs)
    claims = verified(bench, ScriptedPool(bench.host, seed=3))
    assert {claim.rig for claim in claims} == {"a", "b"}
    assert {run.rig for run in stored(bench)[0].runs} == {"a", "b"}
