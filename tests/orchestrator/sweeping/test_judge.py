"""Verdicts are remembered by what rules read: what they do not read must not change them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.sweeping.judge import Judge
from orchestrator.sweeping.plan import survey_request
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.known_bugs import warnings_of
from orchestrator.sweeping.rules.registry import READS, RULES, excluded
from search_spaces.candidate import CANDIDATE_FIELDS, Candidate
from search_spaces.load import load_profile, loads
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments, baseline_of
from workers.assumed.host import profiled

BIG = "hf:unsloth/Qwen3.6-27B-GGUF/Qwen3.6-27B-UD-Q5_K_XL.gguf"
SMALL = "hf:unsloth/Qwen3.6-27B-GGUF/Qwen3.6-27B-UD-Q4_K_XL.gguf"
DRAFTER = "hf:Anbeeld/Qwen3.6-27B-DFlash-GGUF/Qwen3.6-27B-DFlash-Q5_K_M.gguf"
SPACE = loads(f"""
name: judged
engines: {{bee: {{path: bee, like: bee_early}}, main: {{path: main, like: mainline}}}}
fixed: {{drafter: {DRAFTER}}}
parameters:
  engine: [bee, main]
  model: [{BIG}, {SMALL}]
  kv: [q8_0/q8_0, q4_0/turbo4, f16/f16]
  ctx: [4096, 262144, 300000]
  spec: [none, draft-dflash]
  n_max: {{values: [3, 40], when: spec != 'none'}}
  threads: [4, 8]
baseline: {{fix: {{spec: none}}, per: [rig, model, engine]}}
objectives: {{speedup: maximize}}
""")
# Other values of every setting, some of which change verdicts.
OTHERS: dict[str, tuple[Any, ...]] = {
    "model": (SMALL, "nobody"),
    "engine": ("main", "nobody"),
    "kv_k": ("f16", "turbo4"),
    "kv_v": ("f16", "q9_9"),
    "ctx": (131_072, 999_999),
    "spec": ("none", "draft-dflash", "draft-mtp"),
    "drafter": (DRAFTER, "nobody", None),
    "n_max": (1, 15),
    "n_min": (0, 2),
    "p_min": (0.0, 0.5),
    "draft_kv_k": ("q8_0", "q9_9"),
    "draft_kv_v": ("q8_0", "q9_9"),
    "draft_device": ("CUDA1",),
    "controller": ("on", "off"),
    "batch": (512,),
    "ubatch": (4096,),
    "ngl": ("0", "10"),
    "split_mode": ("tensor",),
    "tensor_split": ("1", "3,1"),
    "n_cpu_moe": (10,),
    "override_tensor": ("ffn=CPU",),
    "load_mode": ("mlock",),
    "threads": (2,),
    "flags": ("--numa distribute",),
}


def ground() -> Ground:
    host = profiled(load_profile("rtx4080"), survey_request(SPACE))
    return Ground(SPACE, host.rigs[0], host)


GROUND = ground()
CANDIDATES = list(dict.fromkeys(candidate_of(a) for a in assignments(SPACE)))


def test_other_values_are_known_for_every_setting() -> None:
    assert set(OTHERS) == set(CANDIDATE_FIELDS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_rule_reads_no_more_than_it_says(rule: Any) -> None:
    for candidate in CANDIDATES[::5]:
        if GROUND.model(candidate) is None:
            continue
        verdict = rule(GROUND, candidate)
        for name in set(CANDIDATE_FIELDS) - set(READS[rule]):
            for value in OTHERS[name]:
                assert rule(GROUND, replace(candidate, **{name: value})) == verdict, name


def test_it_says_what_the_rules_say() -> None:
    judge = Judge(GROUND)
    for candidate in (*CANDIDATES, *CANDIDATES):  # the second time from what is remembered
        assert judge.excluded(candidate) == excluded(GROUND, candidate)
        assert judge.warnings(candidate) == warnings_of(GROUND, candidate)
        assert judge.baseline(candidate)[0] == baseline_of(SPACE, candidate)


def test_candidates_of_one_launch_are_told_from_others() -> None:
    """A draft beyond the trained block of 16 is clamped to 15; threads are part of a launch."""
    judge = Judge(GROUND)
    base = Candidate(SMALL, "main", spec="draft-dflash", drafter=DRAFTER, n_max=40)
    assert judge.launch(base) == judge.launch(replace(base, n_max=15))
    assert judge.launch(base) != judge.launch(replace(base, n_max=14))
    assert judge.launch(base) != judge.launch(replace(base, threads=3))
