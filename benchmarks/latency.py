"""What a trial costs when many are stored: ask, record and tell at 1,000 to 100,000 trials.

    python -m benchmarks.latency [--stored 1000 10000 100000] [--output REPORT.md]

A short sweep is multiplied in its database file, and taken up by the real session, which then
makes 20 more trials whose jobs end at once with simulated numbers. Steps are timed as in
`benchmarks.overhead`, by the processor's clock; taking up is timed apart. Nothing here is a
measurement of an engine.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.cloning import multiply
from benchmarks.overhead import SPACE, STEPS, Times, watched
from db.database import open_database
from orchestrator.sweeping.events import Silent
from orchestrator.sweeping.plan import Plan, make_plan
from orchestrator.sweeping.session import Session
from search_spaces.load import loads
from search_spaces.space import Budget
from tests.support.hosts import make_host
from tests.support.scripted_pool import ScriptedPool

BASE, ASKS = 250, 20


@dataclass
class Started(Silent):
    """Hears when everything is taken up, and forgets what that took."""

    times: Times
    wall: float = field(default_factory=time.perf_counter)
    start_s: float = 0.0

    def planned(self, plan: Plan, resumed: int) -> None:
        """From here on trials are asked for."""
        now = time.perf_counter()
        self.start_s, self.wall = now - self.wall, now
        self.times.seconds.clear()
        self.times.commits, self.times.cpu = 0, time.process_time()


@dataclass(frozen=True)
class Run:
    """One size: seconds to take everything up, and what each of the next trials cost."""

    start_s: float
    times: Times
    file_mib: float


def plan_of(trials: int) -> tuple[Plan, ScriptedPool]:
    """A plan that is searched, not enumerated, however large its budget."""
    space = loads(SPACE.replace("suite: coding,", "suite: coding, prompts: 2,"))
    host = make_host(space)
    plan = make_plan(space, host, host.rigs)
    larger = space.model_copy(update={"budget": Budget(trials=trials)})
    rigs = tuple(replace(rig, truncated=True) for rig in plan.rigs)
    return replace(plan, space=larger, rigs=rigs), ScriptedPool(host)


def sweep(file: Path, trials: int) -> Run:
    """Runs or takes up the sweep until it has so many trials."""
    plan, pool = plan_of(trials)
    times = Times()
    heard = Started(times)
    with open_database(str(file)) as database, watched(times):
        Session(plan, database, pool, heard, file.parent).run()
    times.wall = time.perf_counter() - heard.wall
    times.cpu = time.process_time() - times.cpu
    times.jobs = len(pool.runs)
    return Run(heard.start_s, times, file.stat().st_size / 2**20)


def report(runs: dict[int, Run]) -> str:
    """Markdown: milliseconds a trial, by step and number of stored trials."""
    lines = [
        "# Latency with many trials",
        "",
        f"`python -m benchmarks.latency --stored {' '.join(map(str, runs))}`",
        "",
        f"SQLite on a local disk, {os.cpu_count()} cores, Python {platform.python_version()}; one "
        f"study. So many trials are stored (a sweep of {BASE}, multiplied: 12 samples a trial), "
        f"are taken up, and {ASKS} more are made; milliseconds a trial by the processor's clock.",
        "",
        "| step |" + "".join(f" {stored:,} stored |" for stored in runs),
        "|---|" + "--:|" * len(runs),
    ]
    each = [run.times for run in runs.values()]
    for label, _, _ in STEPS:
        cells = "".join(f" {1e3 * one.seconds[label] / ASKS:.1f} |" for one in each)
        lines.append(f"| {label} |{cells}")
    rest = "".join(f" {1e3 * (t.cpu - sum(t.seconds.values())) / ASKS:.1f} |" for t in each)
    wall = "".join(f" {1e3 * t.wall / ASKS:.0f} |" for t in each)
    own = "".join(f" **{1e3 * t.cpu / ASKS:.0f}** |" for t in each)
    rate = "".join(f" {ASKS / t.cpu:.1f} |" for t in each)
    start = "".join(f" {run.start_s:.1f} |" for run in runs.values())
    size = "".join(f" {run.file_mib:.0f} |" for run in runs.values())
    return "\n".join(
        [
            *lines,
            f"| everything else |{rest}",
            f"| **a trial** |{own}",
            f"| trials a second of processor |{rate}",
            f"| the same trial by the wall's clock, ms |{wall}",
            f"| s to take up what is stored (once, at start) |{start}",
            f"| MiB of the file |{size}",
            "",
            "The sampler sees at most 1,000 trials, the best and an even part of the others, so "
            "that a proposal costs the same however many are stored. It is asked up to eight "
            "times a trial here: copies teach it nothing new, so it repeats itself. The wall's "
            "clock counts other work on the machine too: where it shows several times the "
            "processor's, the machine was busy. Taking up what is stored (wall's clock), samples "
            "included, takes time in proportion, once.",
        ]
    )


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--stored", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    runs: dict[int, Run] = {}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base.db"
        sweep(base, BASE)
        for stored in asked.stored:
            file = Path(folder) / f"{stored}.db"
            shutil.copy(base, file)
            multiply(file, max(1, stored // BASE))
            runs[stored] = sweep(file, stored + ASKS)
            file.unlink()
            print(f"{stored} stored: {runs[stored]}", file=sys.stderr)
    text = report(runs) + "\n"
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
