"""A plan heeds what is known of a build: what would fail is out, the rest is said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from orchestrator.cli import plan as command
from orchestrator.sweeping.plan import Plan, RigPlan, make_plan
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import CAPABILITIES, make_host
from workers.contract.reports import Build, HostReport

DRAFT_KV = make_space(
    "spec: [none, draft-dflash], draft_kv: [f16/f16, q8_0/q8_0]",
    fixed="model: small, drafter: draft, n_max: 4",
    baseline="{fix: {spec: none, kv: f16/f16}, per: [rig, model]}",
)
MIXED = make_space("kv: [f16/f16, q8_0/q5_1]", fixed="model: small", name="mixed")


def on_build(space: Space, label: str) -> HostReport:
    """A host whose engine has this label."""
    host = make_host(space, capabilities=replace(CAPABILITIES, fa_pairs=None))
    (engine,) = host.engines
    builds = tuple(Build(b.role, label, b.sha256, b.path) for b in engine.builds)
    return replace(host, engines=(replace(engine, builds=builds),))


def planned(space: Space, label: str) -> tuple[Plan, RigPlan]:
    host = on_build(space, label)
    plan = make_plan(space, host, host.rigs)
    return plan, plan.rigs[0]


def test_what_certainly_fails_is_out_with_a_sentence_and_its_source() -> None:
    _, rig = planned(DRAFT_KV, "b10067")

    ((why, count),) = [(why, n) for why, n in rig.out.items() if why.rule == "no_known_bug"]
    assert count == 1
    assert why.reason.startswith("With a quantised drafter cache hardly any draft is accepted")
    assert why.reason.endswith("https://github.com/ggml-org/llama.cpp/issues/25725")
    assert {candidate_of(a).draft_kv_k for a in rig.feasible} == {None, "f16"}


def test_a_build_that_is_mended_excludes_nothing() -> None:
    _, rig = planned(DRAFT_KV, "b10068")

    assert "no_known_bug" not in {why.rule for why in rig.out}


def test_a_build_without_a_number_excludes_nothing_and_says_so_once() -> None:
    _, rig = planned(DRAFT_KV, "0.6.0-dev (build 0, commit unknown)")

    assert "no_known_bug" not in {why.rule for why in rig.out}
    told = [warning for warning in rig.warnings if "build number" in warning]
    assert told == [
        "Engine 'embedded' does not tell its build number: whether bugs of older builds hit it "
        "cannot be checked. Release builds and builds of a full clone tell it."
    ]


def test_what_may_be_met_is_a_warning_that_counts_its_candidates() -> None:
    _, rig = planned(MIXED, "b10500")

    (warning,) = [w for w in rig.warnings if w.startswith("Perhaps: For this K/V pair")]
    assert rig.warnings[warning] == 1
    assert len(rig.feasible) == 2


def test_a_plan_without_bugs_warns_of_nothing() -> None:
    _, rig = planned(make_space("kv: [f16/f16, q8_0/q8_0]", fixed="model: small"), "b11434")

    assert rig.warnings == {}


def test_the_command_shows_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    plan, _ = planned(MIXED, "b10500")

    command._show(plan)

    shown = capsys.readouterr().out
    assert "Warning, 1 of these candidates: Perhaps: For this K/V pair attention runs on" in shown
    assert "issues/28455" in shown


def test_the_commands_json_has_them_too() -> None:
    plan, rig = planned(MIXED, "b10500")

    told = json.loads(json.dumps(command._as_json(plan)))

    assert {w["warning"]: w["candidates"] for w in told["rigs"][0]["warnings"]} == rig.warnings
