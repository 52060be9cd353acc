"""`orchestrate measure`: one candidate of a space, by its key or by its parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.cli.measure import narrowed
from search_spaces.errors import SpaceError
from search_spaces.load import load
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments
from tests.orchestrator.cli.calling import Caller, Said
from tests.orchestrator.cli.scenes import host_of, sweep
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import Surface, failing, plain
from workers.contract.reports import HostReport

SPACE = make_space(
    "kv: [f16/f16, q8_0/q8_0], spec: [none, draft-dflash], "
    "n_max: {values: [2, 4], when: spec != 'none'}",
    forbid="[\"kv == 'q8_0/q8_0' and n_max == 4\"]",
)
TEXT = """
name: kv
fixed: {model: small, drafter: draft}
parameters: {kv: [f16/f16, q8_0/q8_0], spec: [none, draft-dflash], n_max: [2, 4]}
baseline: {fix: {spec: none, kv: f16/f16}, per: [rig, model]}
objectives: {tok_s: maximize}
measure: {throughput: {suite: coding, prompts: 3, predict: 32, launches: 2, passes: 2}}
"""

Measure = Callable[..., Said]


class Pool(ScriptedPool):
    """A pool on the host of these tests."""

    def __init__(self, surface: Surface = plain, host: HostReport | None = None) -> None:
        super().__init__(host or host_of(make_space()), surface)


@pytest.fixture
def measure(orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Calls `orchestrate measure` in an empty folder, on rigs that nobody has to own."""
    monkeypatch.chdir(tmp_path)
    Path("kv.yaml").write_text(TEXT)

    def call(*arguments: object, pool: ScriptedPool | None = None) -> Said:
        made = pool or Pool()
        monkeypatch.setattr("orchestrator.cli.measure.make_pool", lambda kind: made)
        return orchestrate("measure", "--space", "kv.yaml", *arguments)

    return call


def test_what_is_not_named_takes_its_first_value() -> None:
    one = narrowed(SPACE, None, ["spec=draft-dflash"])
    assert (one.fixed["kv"], one.fixed["n_max"]) == ("f16/f16", 2)
    assert not one.parameters


def test_a_key_names_a_candidate() -> None:
    wanted = [candidate_of(assignment) for assignment in assignments(SPACE)][-1]
    one = narrowed(SPACE, wanted.asked_key[:10], [])
    assert candidate_of(next(assignments(one))) == wanted


def test_settings_go_before_those_of_the_key() -> None:
    first = candidate_of(next(assignments(SPACE)))
    one = narrowed(SPACE, first.asked_key, ["kv=q8_0/q8_0"])
    assert one.fixed["kv"] == "q8_0/q8_0"


def test_a_value_outside_of_the_axis_may_be_measured() -> None:
    assert narrowed(SPACE, None, ["spec=draft-dflash", "n_max=7"]).fixed["n_max"] == 7


def test_a_forbidden_candidate_may_be_measured_by_name() -> None:
    one = narrowed(SPACE, None, ["kv=q8_0/q8_0", "spec=draft-dflash", "n_max=4"])
    assert one.forbidden == ()


def test_the_values_of_a_setting_have_its_type() -> None:
    one = narrowed(SPACE, None, ["spec=draft-dflash", "p_min=1", "ctx=512"])
    assert (one.fixed["p_min"], one.fixed["ctx"]) == (1.0, 512)


def test_different_candidates_are_different_sweeps() -> None:
    assert narrowed(SPACE, None, []).key != narrowed(SPACE, None, ["kv=q8_0/q8_0"]).key


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (["kv"], "'kv' is not NAME=VALUE. Write: --set kv=q8_0/q8_0."),
        (["n_mx=4"], "unknown parameter 'n_mx'. Did you mean 'n_max'?"),
        (["ctx=many"], "'many' is no value of ctx (context capacity in tokens)."),
        (["ctx=1"], "ctx: 1 is below the least value 64."),
        (["kv=q8_0"], "kv: 'q8_0' is not a K/V pair. Write it as q8_0/q5_1."),
        (["kv_k=q8_0"], "fixed.kv_k: kv_k is already part of kv. Use kv, or its two parts."),
        (["n_max=4"], "n_max has no effect on this candidate. It has one where spec != 'none'."),
        (["engine=embeded"], "fixed.engine: unknown engine 'embeded'. Did you mean 'embedded'?"),
    ],
)
def test_a_bad_setting_is_a_sentence(settings: list[str], says: str) -> None:
    with pytest.raises(SpaceError) as caught:
        narrowed(SPACE, None, settings)
    assert str(caught.value) == says


def test_an_unknown_key_says_where_keys_are() -> None:
    with pytest.raises(SpaceError, match="no candidate of kv has a key that begins 'zz'"):
        narrowed(SPACE, "zz", [])


def test_a_beginning_of_several_keys_is_refused() -> None:
    with pytest.raises(SpaceError, match="'' begins 6 keys"):
        narrowed(SPACE, "", [])


def test_the_candidate_and_its_baseline_are_measured(measure: Measure) -> None:
    pool = Pool()
    said = measure("--set", "spec=draft-dflash", "--set", "n_max=4", "--json", pool=pool)
    assert (said.code, len(json.loads(said.out)["measured"])) == (0, 2)
    assert [run.candidate.n_max for run in pool.runs] == [None, 4]


def test_measuring_it_again_measures_nothing(measure: Measure) -> None:
    measure("--set", "spec=draft-dflash")
    again = Pool()
    assert measure("--set", "spec=draft-dflash", pool=again).code == 0
    assert again.runs == []


def test_what_a_sweep_has_measured_is_not_measured_again(measure: Measure, tmp_path: Path) -> None:
    sweep(tmp_path / "orchestrate.db", load("kv.yaml"))
    pool = Pool()
    said = measure("--set", "spec=draft-dflash", "--set", "n_max=4", pool=pool)
    assert (said.code, pool.runs) == (0, [])


def test_the_baseline_counts_as_a_trial(measure: Measure) -> None:
    said = measure("--set", "spec=draft-dflash")
    assert said.out.startswith("kv-measure on rtx: 1 candidate, 2 trials.\n")


def test_the_table_shows_both(measure: Measure) -> None:
    said = measure("--set", "spec=draft-dflash")
    assert "\nFront: rtx\n" in said.out
    assert said.err == ""


def test_a_candidate_that_fails_is_exit_code_4(measure: Measure) -> None:
    said = measure(
        "--set", "spec=draft-dflash", pool=Pool(failing(lambda candidate, rig: candidate.drafts))
    )
    assert said.code == 4
    assert said.sentence == (
        "The candidate failed; only its baseline was measured. See why with: orchestrate status."
    )


def test_a_candidate_that_cannot_run_is_exit_code_3(measure: Measure) -> None:
    said = measure("--set", "kv=q3_0/q3_0")
    assert (said.code, said.out) == (3, "")
    assert said.sentence.startswith("No candidate of kv-measure can run here: 1 of 1 are out: ")


TASKS = {"task:functions": "sha-functions", "task:tetris": "sha-tetris"}


def scoring() -> Pool:
    """A pool on a host that can run generated programs."""
    host = host_of(make_space())
    return Pool(host=replace(host, contents={**host.contents, **TASKS}))


def test_programs_are_scored_when_asked_for(measure: Measure) -> None:
    said = measure("--quality", pool=scoring())
    assert said.code == 0
    assert "code 2.00 of 3" in said.out
    assert "/quality, scored 0 to 3:\n  to_roman: 3 1 (1 of 7 cases)" in said.out


def test_candidates_that_differ_in_drafts_share_their_programs(measure: Measure) -> None:
    pool = scoring()
    said = measure("--quality", "--set", "spec=draft-dflash", pool=pool)
    assert said.out.count("scored 0 to 3") == 1
    assert [n for (facet, *_), n in pool.measured.items() if facet is Facet.QUALITY] == [1]


def test_nothing_is_scored_unless_asked_for(measure: Measure) -> None:
    pool = scoring()
    assert "scored 0 to 3" not in measure(pool=pool).out
    assert Facet.QUALITY not in {facet for facet, *_ in pool.measured}
