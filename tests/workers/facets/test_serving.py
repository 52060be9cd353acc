"""Serving: what is launched, what is asked, what comes back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.metrics import Facet
from search_spaces.recipe import ThroughputRecipe
from tests.support.script import Fault, Script
from tests.support.scripted_engine import SERVER, ScriptedEngine
from tests.workers.facets.bench import DFLASH, PLAIN, QUICK, Bench, bench
from workers.contract.job import Point, StoppingRule
from workers.contract.outcome import FacetResult
from workers.facets.serving import Served, serve
from workers.gates.canary import CANARY_TEXT
from workers.http.client import ServerClient
from workers.suites.errors import SuiteError
from workers.trace import Trace


def run(here: Bench) -> Served:
    return serve(here.setting, here.trace)


def throughput(served: Served) -> FacetResult:
    return next(r for r in served.results if r.facet is Facet.THROUGHPUT)


def values(result: FacetResult) -> dict[str, float]:
    return {e.metric: e.value for e in result.estimates}


def test_both_facets_come_back_under_their_keys_and_their_build(tmp_path: Path) -> None:
    served = run(bench(tmp_path))

    assert [(r.facet, r.memo_key, r.build) for r in served.results] == [
        (Facet.THROUGHPUT, "key-of-throughput", SERVER),
        (Facet.MEMORY, "key-of-memory", SERVER),
    ]
    assert served.same_as is None


def test_only_what_the_job_asks_for_comes_back(tmp_path: Path) -> None:
    served = run(bench(tmp_path, facets=[Facet.MEMORY]))

    assert [r.facet for r in served.results] == [Facet.MEMORY]


def test_every_prompt_is_timed_in_every_pass_of_every_launch(tmp_path: Path) -> None:
    samples = throughput(run(bench(tmp_path))).samples

    cells = Counter((s.launch, s.repeat) for s in samples)
    assert cells == {(launch, repeat): 3 for launch in (0, 1) for repeat in (0, 1)}
    assert len({s.label for s in samples}) == 3


def test_a_drafter_that_remembers_answers_gets_no_prompt_twice_in_a_launch(tmp_path: Path) -> None:
    lookup = replace(PLAIN, spec="ngram-mod", n_max=4)
    result = throughput(run(bench(tmp_path, candidate=lookup)))

    assert Counter((s.launch, s.repeat) for s in result.samples) == {(n, 0): 3 for n in range(4)}
    assert "answers_not_remembered" not in result.flags


def test_text_after_the_models_own_end_is_flagged(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(ends_after=8))

    assert "text_after_end" in throughput(run(here)).flags
    assert here.trace.telemetry["after_end_share"] == 0.5


def test_a_model_is_asked_for_its_ends_once(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(ends_after=8))
    run(here)
    asked = dict(here.setting.ends.known(here.setting))
    again = replace(here.setting, engine=ScriptedEngine(Script()))
    serve(again, Trace())

    assert set(asked.values()) == {8}
    assert again.ends.known(again) == asked


def test_a_rate_and_the_memory_are_measured(tmp_path: Path) -> None:
    served = run(bench(tmp_path))

    assert values(throughput(served))["tok_s"] > 0
    assert values(served.results[1])["mem_peak_mib"] >= values(served.results[1])["mem_loaded_mib"]


def test_a_drafter_is_loaded_and_its_drafts_are_counted(tmp_path: Path) -> None:
    here = bench(tmp_path, candidate=DFLASH)

    made = values(throughput(run(here)))

    assert "drafter.gguf" in " ".join(here.trace.launches[0].argv)
    assert made["draft_n"] > 0
    assert 0 < made["acceptance"] < 1


def test_each_launch_passes_the_gates_before_it_is_timed_and_after(tmp_path: Path) -> None:
    here = bench(tmp_path)

    run(here)

    verdicts = Counter(v.gate for v in here.trace.gates)
    assert verdicts["own_server"] == 2
    assert verdicts["prompt_cache_cold"] == 2
    assert all(v.passed for v in here.trace.gates)


def test_a_sound_measurement_has_no_flags(tmp_path: Path) -> None:
    assert throughput(run(bench(tmp_path))).flags == ()


def test_the_gates_see_a_text_that_every_drafter_drafts_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = ServerClient.completion

    def spy(self, prompt, n_predict, **how):  # type: ignore[no-untyped-def]
        asked.append(prompt)
        return real(self, prompt, n_predict, **how)

    monkeypatch.setattr(ServerClient, "completion", spy)
    run(bench(tmp_path, throughput=replace_recipe(warmups=3)))

    assert asked[:3] == [CANARY_TEXT] * 3
    assert CANARY_TEXT not in asked[3:9]


def replace_recipe(**changes: object) -> ThroughputRecipe:
    return ThroughputRecipe(**{**QUICK.model_dump(), **changes})


def test_a_clamped_draft_length_is_recorded_as_what_it_is(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(block_size=8), candidate=replace(DFLASH, n_max=12))

    run(here)

    assert here.trace.effective == {"n_max": 7}


def test_a_launch_that_turns_out_to_be_a_known_one_is_not_timed(tmp_path: Path) -> None:
    asked = bench(tmp_path, candidate=replace(DFLASH, n_max=12))
    known = replace(asked.setting.job.resolved, candidate=replace(DFLASH, n_max=7)).key
    here = bench(tmp_path, candidate=replace(DFLASH, n_max=12), known_effective=frozenset({known}))

    served = run(here)

    assert served == Served((), known)
    assert len(here.engine.launches) == 1
    assert "prompt_cache_cold" not in {v.gate for v in here.trace.gates}


def test_what_is_asked_and_known_already_is_not_timed_either(tmp_path: Path) -> None:
    key = bench(tmp_path).setting.job.resolved.key

    assert run(bench(tmp_path, known_effective=frozenset({key}))).same_as == key


def test_what_is_clearly_beaten_is_flagged_and_launched_once(tmp_path: Path) -> None:
    rule = StoppingRule(to_beat=(Point(1e9, 1.0),), loss=1.0, spread=(1e-4, 10.0))
    here = bench(tmp_path, stop=rule)

    assert {"stopped_early", "single_launch"} <= set(throughput(run(here)).flags)
    assert len(here.engine.launches) == 1


def test_one_launch_with_one_pass_says_so(tmp_path: Path) -> None:
    once = replace_recipe(launches=1, passes=1, max_passes=1)

    flags = throughput(run(bench(tmp_path, throughput=once))).flags

    assert set(flags) == {"single_launch", "no_repeats"}


def test_a_gate_that_marks_numbers_marks_them_once(tmp_path: Path) -> None:
    here = bench(
        tmp_path, Script(faults=(Fault.REDIRECTED_KV,)), candidate=replace(PLAIN, kv_k="q8_0")
    )

    assert throughput(run(here)).flags == ("kv_types_allocated",)
    assert here.trace.effective == {"kv_k": "f16"}


def test_only_the_second_launch_at_fault_is_noticed_too(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(), Script(faults=(Fault.LOOPS,)))

    assert throughput(run(here)).flags == ("text_repetition",)


def test_engines_end_with_their_launch(tmp_path: Path) -> None:
    at_once: list[int] = []
    engine = ScriptedEngine()
    engine._launched = lambda: at_once.append(engine.running)

    run(bench(tmp_path, engine=engine))

    assert at_once == [1, 1]
    assert engine.running == 0


def test_the_trace_has_the_launches_the_log_and_the_times(tmp_path: Path) -> None:
    here = bench(tmp_path)

    run(here)
    trace = here.trace.freeze()

    assert [Path(launch.log_path).name for launch in trace.launches] == [
        "launch-0.log",
        "launch-1.log",
    ]
    assert trace.start_s == 1.0
    assert 0 < trace.facets_s <= trace.wall_s
    assert "new slot" in trace.log_tail
    assert trace.telemetry["samples"] >= 4


@pytest.mark.parametrize("faults", [(Fault.NO_SLOTS,), (Fault.NO_METRICS,)])
def test_a_build_without_slots_or_metrics_can_be_measured(
    faults: tuple[Fault, ...], tmp_path: Path
) -> None:
    result = throughput(run(bench(tmp_path, Script(faults=faults), candidate=DFLASH)))

    assert values(result)["tok_s"] > 0


def test_a_context_is_filled_in_the_engines_own_tokens(tmp_path: Path) -> None:
    plain = throughput(run(bench(tmp_path)))
    here = bench(tmp_path, throughput=replace_recipe(fill=0.5))

    filled = throughput(run(here))

    assert {s.label for s in filled.samples} == {s.label for s in plain.samples}
    # The scripted server reads a token a word, and counts one before them.
    assert all(0.45 * 4096 <= s.values["prompt_n"] <= 0.5 * 4096 for s in filled.samples)


def test_a_prompt_longer_than_its_share_is_the_recipes_fault(tmp_path: Path) -> None:
    here = bench(tmp_path, throughput=replace_recipe(fill=0.001))

    with pytest.raises(SuiteError, match="may be filled"):
        run(here)
    assert here.engine.running == 0


def test_more_prompts_than_the_suite_has_are_refused_before_anything_starts(
    tmp_path: Path,
) -> None:
    here = bench(tmp_path, throughput=replace_recipe(prompts=1000))

    with pytest.raises(SuiteError, match="not 1000"):
        run(here)
    assert here.engine.launches == []


def test_acceptance_is_known_by_position_where_the_build_counts_it(tmp_path: Path) -> None:
    result = throughput(run(bench(tmp_path, candidate=DFLASH)))

    assert all(s.values["drafts_n"] * 4 == s.values["draft_n"] for s in result.samples)
    assert values(result)["accepted_len"] == pytest.approx(
        1 + 4 * values(result)["acceptance"], rel=1e-6
    )


def test_a_build_that_does_not_count_has_acceptance_alone(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(faults=(Fault.NO_METRICS,)), candidate=DFLASH)

    made = values(throughput(run(here)))

    assert made["acceptance"] > 0
    assert "accepted_len" not in made
