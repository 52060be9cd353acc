"""`orchestrate ceiling` on a real llama-server with the demo pair, on the CPU and small."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import in_process
from workers.contract.reports import RigKind
from workers.gpu.discover import discover_rigs

ENGINES = os.environ.get("ORCHESTRATE_TEST_ENGINES", "")
SPACE = """
name: real
engines: {{real: {{path: {engines}}}}}
fixed:
  engine: real
  model: builtin:smollm2-135m-Q4_1
  drafter: builtin:smollm2-135m-dflash-Q8_0
  kv: q8_0/q8_0
  n_max: 4
parameters: {{spec: [none, draft-dflash]}}
objectives: [tok_s]
"""


@pytest.mark.engine
@pytest.mark.skipif(not ENGINES, reason="ORCHESTRATE_TEST_ENGINES names no directory")
def test_a_real_drafting_server_works_at_the_longest_context_asked_for(tmp_path: Path) -> None:
    if any(rig.kind is not RigKind.CPU for rig in discover_rigs()):
        pytest.skip("written for a machine without cards")
    (tmp_path / "real.yaml").write_text(SPACE.format(engines=ENGINES))
    said = in_process(
        *("ceiling", "--space", tmp_path / "real.yaml", "--set", "spec=draft-dflash"),
        *("--step", 512, "--max-ctx", 512, "--json"),
        *("--storage", tmp_path / "o.db", "--log-dir", tmp_path / "logs"),
    )
    assert said.code == 0, said.err
    found = json.loads(said.out)["ceilings"][0]
    assert (found["limit"], found["ctx_max"], found["launches"]) == ("asked", 512, 2)
    assert found["model_limit"] == 8192
