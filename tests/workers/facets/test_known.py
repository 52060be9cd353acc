"""Numbers that a known bug of the build has touched carry its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from tests.support.script import Fault, Script
from tests.support.scripted_engine import LOGITS, SERVER, ScriptedEngine
from tests.workers.facets.bench import CUDA, DFLASH, GPU, PLAIN, Bench, bench
from tests.workers.statistics.samples import chunks
from workers.contract.reports import RigReport
from workers.facets import telemetry
from workers.facets.serving import serve
from workers.facets.texts import score
from workers.gpu.reader import Reading
from workers.gpu.scripted import ScriptedReader

OLD = replace(SERVER, label="llama-server 10067 (86a9c79aa)")
QUANTISED = replace(DFLASH, draft_kv_k="q8_0", draft_kv_v="q8_0")
IQ4_NL = replace(PLAIN, kv_k="iq4_nl", kv_v="iq4_nl")


def flags(here: Bench) -> dict[Facet, tuple[str, ...]]:
    return {result.facet: result.flags for result in serve(here.setting, here.trace).results}


def test_numbers_of_an_affected_build_are_flagged_where_they_are_touched(tmp_path: Path) -> None:
    here = bench(tmp_path, candidate=QUANTISED, engine=ScriptedEngine(builds=(OLD,)))

    assert flags(here) == {
        Facet.THROUGHPUT: ("known_bug:draft-kv-quantised",),
        Facet.MEMORY: (),
    }


def test_a_mended_build_leaves_no_flag(tmp_path: Path) -> None:
    assert flags(bench(tmp_path, candidate=QUANTISED))[Facet.THROUGHPUT] == ()


def test_a_build_without_a_number_is_not_accused(tmp_path: Path) -> None:
    unknown = replace(SERVER, label="llama-server 0.6.0-dev (build 0, commit unknown)")
    here = bench(tmp_path, candidate=QUANTISED, engine=ScriptedEngine(builds=(unknown,)))

    assert flags(here)[Facet.THROUGHPUT] == ()


@pytest.mark.parametrize(
    ("faults", "flagged"), [((), True), ((Fault.REDIRECTED_KV,), False)], ids=["iq4_nl", "f16"]
)
def test_a_bug_counts_by_the_type_that_was_really_allocated(
    faults: tuple[Fault, ...], flagged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = ScriptedReader([Reading()])
    monkeypatch.setattr(telemetry, "reader_for", lambda rig, pid: silent)
    builds = (replace(SERVER, label="b11312"),)
    engine = ScriptedEngine(Script(faults=faults, devices=CUDA), builds=builds)

    found = flags(bench(tmp_path, candidate=IQ4_NL, rig=GPU, engine=engine))

    assert ("known_bug:fa-iq4-nl-on-cpu" in found[Facet.THROUGHPUT]) is flagged


def perplexity_flags(tmp_path: Path, candidate: Candidate, rig: RigReport) -> tuple[str, ...]:
    engine = ScriptedEngine(
        scores=chunks([700.0] * 8), builds=(OLD, replace(LOGITS, label="b10067"))
    )
    here = bench(tmp_path, candidate=candidate, facets=[Facet.PERPLEXITY], engine=engine, rig=rig)
    return score(Facet.PERPLEXITY, here.setting, here.trace).flags


def test_a_bug_of_speculation_leaves_perplexities_alone(tmp_path: Path) -> None:
    assert perplexity_flags(tmp_path, QUANTISED, GPU) == ()
