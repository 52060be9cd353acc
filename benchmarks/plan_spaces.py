"""The builtin spaces planned on profiles, their memory against public figures, and the time.

python -m benchmarks.plan_spaces CASES.jsonl [--output REPORT.md]
"""

from __future__ import annotations

import os
import platform
import time
from collections import Counter
from collections.abc import Iterator

from benchmarks.memory_cases import Case, report_on_cases
from benchmarks.plan_figures import figures
from orchestrator.cli.profile_planning import plan_on_profile
from orchestrator.sweeping.plan import Plan
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.memory import prediction_for
from search_spaces.load import load, loads
from search_spaces.parameters import candidate_of
from search_spaces.space import Space

MIB = 2**20
RUNS = 2
SPACES = {
    "rtx5090_qwen36_27b": "rtx5090",
    "rtx5090_qwen36_27b_kvarn": "rtx5090",
    "rtx4080_qwen38_27b_dflash2": "rtx4080",
    "rtx4090_3090_qwen36_27b_q8": "rtx4090_3090",
    "laptop8gb_qwen36_35b_a3b": "laptop8gb",
    "mainline_dflash_36k": "rtx5090",
    "build_to_build": "rtx5090",
}
REPO = "hf:unsloth/Qwen3.6-27B-GGUF/Qwen3.6-27B"
COMMON = f"""
engines: {{bee: {{path: bee, like: bee_04}}, mainline: {{path: llama-server, like: mainline}}}}
fixed: {{drafter: ~/models/Qwen3.6-27B-DFlash-Q5_K_M.gguf}}
objectives: {{tok_s: maximize, ppl: minimize}}
parameters:
  engine: [bee, mainline]
  model: [{REPO}-UD-Q5_K_XL.gguf, {REPO}-UD-Q4_K_XL.gguf]
"""
# Axes as people have them: some of them (threads) no rule reads.
USUAL = f"""
name: usual
{COMMON}
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q5_0/q4_1, q4_0/q4_0]
  ctx: [4096, 16384, 32768, 65536, 131072, 262144]
  ubatch: [256, 512, 1024, 2048]
  spec: [none, draft-dflash]
  n_max: {{min: 1, max: 15, when: spec != 'none'}}
  p_min: {{values: [0.0, 0.25, 0.5, 0.75], when: spec != 'none'}}
  threads: [8, 16, 24, 32]
"""
# The hard case: every candidate needs an amount of memory of its own.
HARD = f"""
name: hard
{COMMON}
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q5_0/q4_1, q4_0/q4_0]
  ctx: {{min: 4096, max: 262144, step: 6144}}
  ubatch: [128, 256, 512, 1024]
  draft_kv: [f16/f16, q8_0/q8_0]
  spec: [draft-dflash]
  n_max: {{min: 1, max: 15}}
"""


def plan(space: Space, profile: str) -> Plan:
    """The plan, without launching or probing anything."""
    return plan_on_profile(space, profile, [], None, None)


def spaces() -> Iterator[str]:
    """One row for each builtin space."""
    yield "| space | profile | candidates | can run | out, and why | MiB on the fullest card | s |"
    yield "|---|---|---:|---:|---|---|---:|"
    for name, profile in SPACES.items():
        start = time.perf_counter()
        made = plan(load(name), profile)
        took = time.perf_counter() - start
        (rig,) = made.rigs
        rules = Counter[str]()
        for why, count in rig.out.items():
            rules[why.rule] += count
        ground = Ground(made.space, rig.rig, made.host)
        held = [
            max(prediction.estimate(i) for i in range(len(prediction.devices))) / MIB
            for assignment in rig.feasible
            if (prediction := prediction_for(ground, candidate_of(assignment)))
        ]
        out = ", ".join(f"{count:,} {rule}" for rule, count in rules.most_common()) or "none"
        cards = " + ".join(str(card.memory_mib) for card in rig.rig.cards)
        yield (
            f"| `{name}` | {profile} | {rig.total:,} | {len(rig.feasible):,} | {out} "
            f"| {min(held):,.0f} to {max(held):,.0f} of {cards} | {took:.2f} |"
        )


def times() -> Iterator[str]:
    """Seconds for spaces of 100,000 combinations and more, best of some runs."""
    yield f"| space | combinations | can run | CPU s, best of {RUNS} | wall s, best of {RUNS} |"
    yield "|---|---:|---:|---:|---:|"
    for text in (USUAL, HARD):
        space = loads(text)
        worked, took = [], []
        for _ in range(RUNS):
            cpu, wall = time.process_time(), time.perf_counter()
            made = plan(space, "rtx5090")
            worked.append(time.process_time() - cpu)
            took.append(time.perf_counter() - wall)
        (rig,) = made.rigs
        yield (
            f"| {space.name} | {rig.total:,} | {len(rig.feasible):,} | {min(worked):.2f} "
            f"| {min(took):.2f} |"
        )


def report(cases: list[Case]) -> str:
    """The Markdown report."""
    lines = [
        "# Builtin spaces planned on profiles",
        "",
        "Cards from `--rig-profile`, engines assumed, headers for models: nothing was launched. "
        "Predicted: weights, caches, states and driver context; compute buffers are known only "
        "after a first launch. Seconds include reading headers and help texts.",
        "",
        *spaces(),
        "",
        "## Against public figures",
        "",
        "Header stand-ins in place of the files of public logs. `exact`: shapes and types give the "
        "figure. `about`: the stand-in's file size is rounded. `bound`: predicted without compute "
        "buffers, so it must stay below what was in use.",
        "",
        *figures(cases),
        "",
        "## Time to plan 100,000 combinations",
        "",
        f"Aim: 5 s. Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} "
        f"cores, load average before {os.getloadavg()[0]:.1f}: where that is above the cores, the "
        "CPU seconds are the better guide. `usual`: axes as people have them, threads and p_min "
        "among them. "
        "`hard`: every candidate needs another amount of memory.",
        "",
        *times(),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the report, or write it."""
    report_on_cases(report, __doc__ or "")


if __name__ == "__main__":
    main()
