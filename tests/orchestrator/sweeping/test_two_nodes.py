"""A sweep on two nodes of a real cluster, with PostgreSQL as its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from db.database import Database, open_database
from db.states import SweepState, TrialState
from orchestrator.sweeping.fleet import with_rigs
from orchestrator.sweeping.plan import make_fleet_plan, survey_request
from orchestrator.sweeping.pools.ray_pool import RayPool
from orchestrator.sweeping.session import Session, sweep_key
from tests.orchestrator.sweeping.laboratory import Heard
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_worker import HELD, ScriptedWorker
from workers.contract.job import Job
from workers.contract.reports import HostReport, RigKind
from workers.survey import SurveyRequest

pytestmark = pytest.mark.ray
SPACE = make_space()
BOTH = {"one.cpu", "two.cpu"}


def alike(request: SurveyRequest) -> HostReport:
    """Stands for `survey` on the nodes: a CPU rig, and everything that the space names."""
    return make_host(SPACE, [make_rig("cpu", RigKind.CPU)])


def unlike(request: SurveyRequest) -> HostReport:
    """The same on nodes whose CPUs differ."""
    import ray

    mine = ray.get_runtime_context().get_node_id()
    name = next(node["NodeName"] for node in ray.nodes() if node["NodeID"] == mine)  # type: ignore[no-untyped-call]
    return make_host(SPACE, [replace(make_rig("cpu", RigKind.CPU), cpu_model=name)])


class WhenJobStarts(Heard):
    """Does something once, when the first job of a rig has started."""

    def __init__(self, rig: str, act: Callable[[], None]) -> None:
        super().__init__()
        self._rig, self._act, self._done = rig, act, False

    def job_started(self, rig: str, job: Job) -> None:
        """Acts."""
        super().job_started(rig, job)
        if rig == self._rig and not self._done:
            self._done = True
            self._act()


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that names the rig whose jobs never end."""
    return tmp_path_factory.mktemp("held") / "rig"


@pytest.fixture(scope="module")
def cluster(held: Path) -> Iterator[Any]:
    """Two raylets, `one` (the head's) and `two`."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HELD, str(held))
        node = {"num_cpus": 1, "include_dashboard": False}
        made = Cluster(initialize_head=True, head_node_args={**node, "node_name": "one"})
        made.two = made.add_node(num_cpus=1, node_name="two")
        yield made
        made.shutdown()


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers and surveys that need no engine."""
    monkeypatch.setattr("workers.rig_worker.RigWorker", ScriptedWorker)
    monkeypatch.setattr("orchestrator.sweeping.pools.ray_nodes.survey", alike)


def run(database: Database, cluster: Any, logs: Path, heard: Heard) -> str:
    """One run of the command; the sweep's key."""
    pool = RayPool(cluster.address)
    try:
        hosts = with_rigs(pool.survey(survey_request(SPACE)), {}, ())
        plan = make_fleet_plan(SPACE, hosts)
        assert {rig.rig.name for rig in plan.rigs} == BOTH
        Session(plan, database, pool, heard, logs).run()
    finally:
        pool.stop()
    return sweep_key(plan)


def test_a_sweep_survives_the_loss_of_a_node_and_goes_on_when_it_is_back(
    cluster: Any,
    postgres_url: str,
    held: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("orchestrator.sweeping.pools.ray_nodes.survey", unlike)
    held.write_text("two.cpu")
    lose = WhenJobStarts("two.cpu", lambda: cluster.remove_node(cluster.two, allow_graceful=False))
    with open_database(postgres_url) as database:
        key = run(database, cluster, tmp_path, lose)
        sweep = database.sweeps.get(key)
        assert sweep is not None
        first = {row.id: row.state for row in database.trials.list(sweep.id)}
        assert sweep.state is SweepState.INTERRUPTED
        (left_out,) = database.quarantines.of(sweep.id)
        assert "its host two has left the cluster" in left_out.reason
        ended = [row for row in database.trials.list(sweep.id) if row.rig == "one.cpu"]
        assert {row.state for row in ended} == {TrialState.COMPLETE}
        assert len(ended) == 6

        held.unlink()
        cluster.two = cluster.add_node(num_cpus=1, node_name="two")
        again = Heard()
        assert run(database, cluster, tmp_path, again) == key
        sweep = database.sweeps.get(key)
        assert sweep is not None
        rows = database.trials.list(sweep.id)
        assert sweep.state is SweepState.FINISHED
        assert Counter(row.rig for row in rows) == {"one.cpu": 6, "two.cpu": 6}
        assert {row.state for row in rows} == {TrialState.COMPLETE}
        assert first.keys() <= {row.id for row in rows}, "nothing that was recorded is lost"
        assert again.resumed >= 6
        with database.engine.connect() as connection:
            query = "SELECT memo_key FROM job_facets WHERE position IS NOT NULL"
            delivered = Counter(row[0] for row in connection.exec_driver_sql(query))
        assert set(delivered.values()) == {1}, "nothing is measured twice"


def test_what_a_lost_node_was_measuring_is_measured_by_its_equal(
    cluster: Any, postgres_url: str, held: Path, tmp_path: Path
) -> None:
    held.write_text("two.cpu")
    lose = WhenJobStarts("two.cpu", lambda: cluster.remove_node(cluster.two, allow_graceful=False))
    with open_database(postgres_url) as database:
        key = run(database, cluster, tmp_path, lose)
        sweep = database.sweeps.get(key)
        assert sweep is not None
        rows = database.trials.list(sweep.id)
    assert [row.state for row in rows] == [TrialState.COMPLETE] * 6


def test_a_host_of_another_version_is_left_out_with_a_sentence(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.sweeping.pools.ray_nodes.VERSION", "9.9.9")
    pool = RayPool(cluster.address)
    try:
        hosts = pool.survey(survey_request(SPACE))
    finally:
        pool.stop()
    assert {host.rigs for host in hosts} == {()}
    (said,) = hosts[0].warnings
    assert said.startswith("Host one is left out: it has orchestrate ")
    assert "and this one is 9.9.9. Install the same version on every host" in said
