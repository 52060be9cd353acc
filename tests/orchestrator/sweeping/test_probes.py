"""Every launch tells its compute buffers, and later launches are planned with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from db.database import open_database
from orchestrator.sweeping.probes import Probes
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.memory import fits_memory, learn_from_launch, prediction_for
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from tests.support.model_headers import make_header
from tests.support.scripted_pool import COMPUTE_MIB, ScriptedPool
from tests.support.surfaces import redirecting
from workers.contract.resolved import ResolvedCandidate
from workers.memory.terms import MIB

RIG = make_rig(memory_mib=8_192)
SPACE = make_space("spec: [none]", fixed="model: small")
CANDIDATE = Candidate("small", ctx=4096)
HEADERS = {"small": make_header(n_layer=4, tensors_mib={"blk.0.attn_q.weight": 6_000})}


def ground(probes: Probes | None = None) -> Ground:
    host = make_host(SPACE, [RIG], headers=HEADERS)
    return Ground(SPACE, RIG, host, probes or Probes())


def resolved(candidate: Candidate, at: Ground) -> ResolvedCandidate:
    engine, model = at.engine(candidate), at.model(candidate)
    assert engine is not None and model is not None
    build = engine.build("server")
    assert build is not None
    return ResolvedCandidate(candidate, build.sha256, "", model.sha256)


def after(mib: float, candidate: Candidate = CANDIDATE) -> Ground:
    """What is known after a launch that reserved so much on its card."""
    at = ground()
    at.probes.learn(resolved(candidate, at), RIG, {"compute_mib.CUDA0": mib})
    return at


def test_a_launch_calibrates_the_same_launch_at_another_context() -> None:
    longer = replace(CANDIDATE, ctx=8192)
    before, now = prediction_for(ground(), longer), prediction_for(after(500.0), longer)
    assert before is not None and now is not None
    assert now.estimate() - before.estimate() == 500 * MIB


def test_what_certainly_does_not_fit_with_them_is_out() -> None:
    longer = replace(CANDIDATE, ctx=8192)
    assert fits_memory(ground(), longer) is None
    assert "compute buffers 3000 MiB" in (fits_memory(after(3_000.0), longer) or "")


def test_another_cache_type_is_estimated_from_them_and_never_excluded_by_them() -> None:
    other = replace(CANDIDATE, kv_k="q8_0", kv_v="q8_0")
    predicted = prediction_for(after(3_000.0), other)
    assert predicted is not None
    assert "compute" in predicted.uncertain
    assert fits_memory(after(3_000.0), other) is None


def test_a_build_that_tells_nothing_calibrates_nothing() -> None:
    at = ground()
    at.probes.learn(resolved(CANDIDATE, at), RIG, {"power_w": 300.0})
    assert at.probes.of(resolved(CANDIDATE, at), RIG) is None


def test_what_no_buffer_accounts_for_is_the_processes_own() -> None:
    at = ground()
    bare = prediction_for(at, CANDIDATE)
    assert bare is not None
    named = bare.estimate() - (bare.devices[0].context_overhead or 0)
    loaded = named / MIB + 500.0 + 600.0
    learn_from_launch(
        at, resolved(CANDIDATE, at), {"compute_mib.CUDA0": 500.0, "mem_loaded_mib": loaded}
    )
    now = prediction_for(at, CANDIDATE)
    assert now is not None
    assert now.devices[0].context_overhead == 600 * MIB
    assert now.estimate() == pytest.approx(loaded * MIB)
    assert "context_overhead" in now.uncertain


def test_a_launch_of_another_file_tells_nothing_of_the_process() -> None:
    at = ground()
    other = replace(resolved(CANDIDATE, at), model="sha-of-yesterday")
    learn_from_launch(at, other, {"compute_mib.CUDA0": 500.0, "mem_loaded_mib": 9_000.0})
    assert at.probes.overheads == {}


def test_a_later_sweep_knows_what_launches_of_an_earlier_one_told(tmp_path: Path) -> None:
    def first_prediction(ctx: int) -> float:
        space = make_space("spec: [none]", fixed=f"model: small, ctx: {ctx}", name=f"at_{ctx}")
        host = make_host(space, [RIG], headers=HEADERS)
        pool = ScriptedPool(host)
        Bench(tmp_path / "orchestrate.db", space, host).run(pool)
        predicted = next(job.mem_predicted_mib for job in pool.jobs if job.facets[0].belongs_to_rig)
        assert predicted is not None
        return predicted

    kv_mib = 2 * 4 * 512 * 2 * 4096 / MIB  # K and V, layers, width, bytes of f16, cells
    assert first_prediction(8192) - first_prediction(4096) == pytest.approx(kv_mib - COMPUTE_MIB)


def test_what_an_engine_redirects_is_learnt_as_what_it_is(tmp_path: Path) -> None:
    """q8_0 becomes f16: the launch says nothing of a cache of q8_0."""
    space = make_space("kv: [q8_0/q8_0], spec: [none]", fixed="model: small, ctx: 4096")
    host = make_host(space, [RIG], headers=HEADERS)
    surface = redirecting(lambda c: c.kv_k == "q8_0", {"kv_k": "f16", "kv_v": "f16"})
    path = tmp_path / "orchestrate.db"
    Bench(path, space, host).run(ScriptedPool(host, surface))
    with open_database(str(path), read_only=True) as database:
        told = database.jobs.told(RIG.hardware_key)
    assert {launch.resolved.candidate.kv for launch in told} == {"f16/f16"}
