"""Several rigs in one sweep: what they share, and what they do not."""

from __future__ import annotations

from pathlib import Path

from db.states import TrialState as Row
from search_spaces.metrics import Facet
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import ScriptedPool, served_by
from tests.support.surfaces import failing
from workers.contract.reports import RigKind


def test_rigs_of_one_kind_share_what_belongs_to_texts(database: Path) -> None:
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    bench = Bench.make(database, make_space(), rigs)
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    texts = [run for run in pool.runs if Facet.PERPLEXITY in run.facets]
    speeds = served_by(pool)
    assert len(texts) == 2
    assert len(speeds) == 12
    assert {trial.state for trial in left.trials} == {Row.COMPLETE}


def test_a_text_that_fails_on_one_card_may_pass_on_another(database: Path) -> None:
    rigs = [make_rig("laptop", card="RTX 4060 Laptop", memory_mib=8_192), make_rig("tower")]
    bench = Bench.make(database, make_space(), rigs)
    small = failing(lambda c, rig: rig.name == "laptop" and c.kv_k == "f16", text=True)
    bench.run(ScriptedPool(bench.host, small))
    left = assert_finished(bench)
    assert {trial.state for trial in left.of("tower")} == {Row.COMPLETE}
    assert {t.state for t in left.of("laptop") if t.candidate.kv_k == "q8_0"} == {Row.COMPLETE}


def test_a_cpu_rig_scores_texts_of_its_own(database: Path) -> None:
    rigs = [make_rig("card"), make_rig("cpu", RigKind.CPU)]
    bench = Bench.make(database, make_space(), rigs)
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert_finished(bench)
    assert len([run for run in pool.runs if Facet.PERPLEXITY in run.facets]) == 4
