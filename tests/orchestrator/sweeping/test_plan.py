"""What would run on each rig, and why the rest is out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orchestrator.sweeping import plan as planning
from orchestrator.sweeping.estimate import estimate_s, spoken
from orchestrator.sweeping.plan import Plan, make_plan, survey_request
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from tests.orchestrator.sweeping.spaces import large_space, make_space
from tests.support.hosts import CAPABILITIES, make_host, make_rig
from tests.support.model_headers import make_header
from workers.contract.reports import HostReport, PairReport


def planned(space: Space, host: HostReport | None = None, **how: Any) -> Plan:
    """The plan on every rig of a host where, but for `how`, everything is found."""
    host = host or make_host(space, **how)
    return make_plan(space, host, host.rigs)


def reasons(plan: Plan) -> dict[str, str]:
    """The sentence of each rule that excluded something on the first rig."""
    return {why.rule: why.reason for why in plan.rigs[0].out}


def test_everything_that_may_run_is_listed_once_with_its_baselines() -> None:
    plan = planned(large_space())
    (rig,) = plan.rigs
    assert plan.feasible == rig.total == 96
    assert [base["model"] for base in rig.baselines] == ["small", "big", "huge"]
    assert {candidate_of(base).spec for base in rig.baselines} == {"none"}


@pytest.mark.parametrize(
    ("how", "rule", "sentence"),
    [
        ({"missing": ["embedded"]}, "engine_usable", "engine 'embedded' does not start"),
        ({"missing": ["small"]}, "model_found", "no file small"),
        ({"missing": ["draft"]}, "drafter_found", "no file draft"),
        (
            {"bad_pairs": [PairReport("small", "draft", "another vocabulary")]},
            "drafter_matches",
            "another vocabulary",
        ),
    ],
)
def test_what_the_host_lacks_is_out(how: dict[str, Any], rule: str, sentence: str) -> None:
    assert reasons(planned(make_space(), **how)) == {rule: sentence}


def test_a_missing_drafter_leaves_what_does_not_draft() -> None:
    (rig,) = planned(make_space(), missing=["draft"]).rigs
    assert {candidate_of(a).spec for a in rig.feasible} == {"none"}


@pytest.mark.parametrize(
    ("parameters", "rule", "sentence"),
    [
        ("kv: [f16/f16, q8_1/q8_0]", "kv_types_known", "has no KV type 'q8_1'. Did you mean"),
        (
            "spec: [none, draft-dflsh], n_max: [2]",
            "spec_types_known",
            "Did you mean 'draft-dflash'",
        ),
        (
            "spec: [none, 'draft-dflash,ngram-simple'], n_max: [2]",
            "spec_types_known",
            "one kind of speculation at a time",
        ),
        ("ctx: [4096, 65536]", "ctx_within_model", "above the model's limit of 32768"),
        (
            "spec: [draft-dflash], draft_kv: [f16/f16, q4_0/q4_0], n_max: [2]",
            "kv_types_known",
            "has no KV type 'q4_0' for the drafter",
        ),
    ],
)
def test_what_the_engine_or_model_cannot_do_is_out(
    parameters: str, rule: str, sentence: str
) -> None:
    found = reasons(planned(make_space(parameters)))
    assert list(found) == [rule]
    assert sentence in found[rule]


def test_an_engine_that_told_nothing_excludes_nothing() -> None:
    space = make_space("kv: [f16/f16, odd/odd], spec: [none, odd], n_max: [2]")
    assert planned(space, capabilities=None).feasible == 4
    assert CAPABILITIES.kv_types


def test_a_drafter_is_needed_only_where_a_second_model_drafts() -> None:
    space = make_space("spec: [none, ngram-simple, draft-dflash], n_max: [2]", fixed="model: small")
    plan = planned(space)
    assert plan.feasible == 2
    assert "needs a drafter; add drafter:" in reasons(plan)["drafter_found"]


def test_what_the_space_forbids_is_out_by_its_own_words() -> None:
    plan = planned(make_space(forbid="[\"kv == 'q8_0/q8_0' and n_max == 4\"]"))
    assert plan.feasible == 5
    (reason,) = reasons(plan).values()
    assert reason == "the space forbids kv == 'q8_0/q8_0' and n_max == 4"


def test_a_draft_length_beyond_the_block_is_out_as_another_candidates_launch() -> None:
    plan = planned(make_space("spec: [draft-dflash], n_max: {min: 5, max: 12}"))
    assert [a["n_max"] for a in plan.rigs[0].feasible] == [5, 6, 7]
    assert "the same launch" in reasons(plan)["same_launch"]


def test_what_certainly_does_not_fit_is_out_with_by_how_much() -> None:
    headers = {"small": make_header(n_layer=4, tensors_mib={"blk.0.attn_q.weight": 20_000})}
    rigs = [make_rig("laptop", memory_mib=8_192), make_rig("tower", memory_mib=32_768)]
    laptop, tower = planned(make_space("spec: [none]"), rigs=rigs, headers=headers).rigs
    assert tower.feasible and not laptop.feasible
    ((why, count),) = laptop.out.items()
    assert (why.rule, count) == ("fits_memory", 1)
    assert "MiB" in why.reason or "GiB" in why.reason
    assert laptop.baselines == ()


def test_a_space_too_large_to_list_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MAX_PLANNED", 10)
    (rig,) = planned(large_space()).rigs
    assert rig.truncated
    assert rig.total == 10


def test_a_survey_asks_for_what_the_space_and_its_baseline_name() -> None:
    space = make_space(
        "model: [small, big]", fixed="drafter: draft", baseline="{fix: {model: tiny, spec: none}}"
    )
    request = survey_request(space)
    assert list(request.engines) == ["embedded"]
    assert request.models == ("small", "big", "tiny", "draft")
    assert [target for target, _ in request.pairs] == ["small", "big", "tiny"]
    assert (request.suites, request.corpora) == (("coding",), ("wiki",))


def test_an_estimate_counts_shared_texts_once() -> None:
    one, many = (
        planned(make_space(f"kv: [q8_0/q8_0], spec: [draft-dflash], n_max: [{n}]", trials=9))
        for n in ("1", "1, 2, 3")
    )
    rig_of_one, rig_of_many = one.rigs[0], many.rigs[0]
    single, triple = estimate_s(one, rig_of_one), estimate_s(many, rig_of_many)
    assert single < triple < 3 * single


def test_an_estimate_counts_the_prompts_that_fill_a_context() -> None:
    def seconds(depth: str, ctx: int) -> float:
        fixed = f"model: small, drafter: draft, ctx: {ctx}"
        plan = planned(make_space(fixed=fixed, measure=f"measure: {{{depth}}}"))
        return estimate_s(plan, plan.rigs[0])

    shallow, deep = "depth: {depths: [0]}", "depth: {depths: [near-full]}"
    assert seconds("", 4096) < seconds(shallow, 4096) < seconds(deep, 4096)
    assert seconds(deep, 4096) < seconds(deep, 8192)


def test_a_depth_beyond_ctx_is_out() -> None:
    plan = planned(
        make_space(
            "ctx: [4096, 16384]",
            measure="measure: {depth: {depths: [8192]}}",
            baseline="{fix: {ctx: 16384}}",
        )
    )
    (why,) = plan.rigs[0].out
    assert why.rule == "depth_within_ctx"
    assert "8,192" in why.reason and "4,096" in why.reason


@pytest.mark.parametrize(
    ("seconds", "said"), [(40, "40 s"), (89.6, "90 s"), (720, "12 min"), (12_000, "3 h 20 min")]
)
def test_durations_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert spoken(seconds) == said


def test_planning_runs_nothing(tmp_path: Path) -> None:
    planned(large_space())
    assert list(tmp_path.iterdir()) == []
