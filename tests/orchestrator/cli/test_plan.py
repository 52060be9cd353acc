"""`orchestrate plan`: what would run, what is out and why; nothing is run or written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller, Said
from tests.orchestrator.cli.scenes import host_of
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import ScriptedPool

TEXT = """
name: kv
title: Two pairs
fixed: {model: small}
parameters: {kv: [f16/f16, q8_0/q8_0, q9_0/q9_0], ctx: [512, 1024, 65536]}
objectives: {tok_s: maximize}
budget: {trials: 3}
"""

Plan = Callable[..., Said]


@pytest.fixture
def plan(orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Plans on a host with two rigs."""
    monkeypatch.chdir(tmp_path)
    Path("kv.yaml").write_text(TEXT)
    rigs = [make_rig("tower"), make_rig("laptop", card="RTX 4060 Laptop", memory_mib=8_192)]
    pool = ScriptedPool(host_of(make_space(), rigs))
    monkeypatch.setattr("orchestrator.cli.plan.make_pool", lambda kind, address: pool)
    return lambda *arguments: orchestrate("plan", "--space", "kv.yaml", *arguments)


def test_it_counts_for_every_rig(plan: Plan) -> None:
    said = plan()
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("kv: Two pairs\nGoals: tok_s (maximize). Measured: throughput.\n")
    assert (
        "\nRig laptop (RTX 4060 Laptop): 4 of 9 candidates can run; 3 trials, chosen by TPE; "
        in said.out
    )


def test_it_says_what_is_out_and_why(plan: Plan) -> None:
    rows = plan("--rig", "tower").out.splitlines()[-2:]
    assert [row.split("   ")[-1] for row in rows] == [
        "engine 'embedded' has no KV type 'q9_0'. Did you mean 'q8_0'?",
        "ctx 65536 is above the model's limit of 32768; use a smaller ctx",
    ]
    assert [row.split()[0] for row in rows] == ["3", "2"]


def test_only_the_rigs_that_are_named(plan: Plan) -> None:
    assert "Rig laptop" not in plan("--rig", "tower").out


def test_json_has_the_same_numbers(plan: Plan) -> None:
    found = json.loads(plan("--json").out)
    tower, laptop = found["rigs"]
    assert (found["space"], found["facets"]) == ("kv", ["throughput"])
    assert (tower["rig"], tower["candidates"], tower["feasible"], tower["trials"]) == (
        "tower",
        9,
        4,
        3,
    )
    assert {entry["rule"] for entry in laptop["out"]} == {"kv_types_known", "ctx_within_model"}


def test_it_writes_nothing(plan: Plan, tmp_path: Path) -> None:
    plan()
    assert [path.name for path in tmp_path.iterdir()] == ["kv.yaml"]
