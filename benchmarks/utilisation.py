"""How much of their time rigs work, in fleets of 1 to 256 with 30-second trials.

    python -m benchmarks.utilisation [--rigs 1 8 64 256] [--trials 24] [--output REPORT.md]

Fleets are looked at twice: all rigs equal (one class, which shares a search and a budget), and
all different (a search and a budget for each). More than 64 rigs are equal, and have a third of
the trials each.

The real driver, search, study and records run on an SQLite file; jobs end at once and are said
to have taken their time. The clock is virtual: it goes on by the processor time that the driver
takes, and jumps to the end of the next job when the driver has nothing to do. So other work on
the machine does not count, and neither does waiting for its disk. Nothing here is a measurement
of an engine.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from db.database import open_database
from orchestrator.sweeping.events import Silent
from orchestrator.sweeping.plan import make_plan
from orchestrator.sweeping.pools.base import Finished
from orchestrator.sweeping.session import Session
from search_spaces.load import loads
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing
from workers.contract.job import Job
from workers.contract.outcome import Failed
from workers.contract.reports import HostReport

TRIAL_S, SPREAD, FAILURE_S = 30.0, 0.2, 5.0
MANY = 64
SPACE = """
name: utilisation
fixed: {{drafter: draft}}
parameters:
  model: [m1, m2, m3, m4]
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q4_0/q4_0]
  ctx: [2048, 8192]
  ubatch: [128, 256, 512, 1024]
  spec: [none, draft-dflash]
  n_max: {{min: 1, max: 7}}
  p_min: [0.0, 0.25, 0.5, 0.75]
objectives: [tok_s]
measure:
  throughput: {{suite: coding, predict: 64, launches: 2, passes: 2, max_passes: 2}}
budget: {{trials: {trials}}}
"""


@dataclass
class Clock:
    """Virtual seconds: what the driver computes, and what it waits for."""

    jumped: float = 0.0

    def now(self) -> float:
        """The time since an arbitrary moment."""
        return self.jumped + time.process_time()

    def until(self, moment: float) -> None:
        """Nothing happens before."""
        self.jumped += max(0.0, moment - self.now())


@dataclass
class Worked:
    """When each job of each rig began and ended."""

    spans: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def share(self, begin: float, end: float) -> float:
        """The share of all rigs' time in which they worked."""
        inside = sum(
            max(0.0, min(e, end) - max(b, begin)) for spans in self.spans.values() for b, e in spans
        )
        return inside / ((end - begin) * len(self.spans))

    @property
    def whole(self) -> tuple[float, float]:
        """From the first job's start to the last one's end."""
        every = [span for spans in self.spans.values() for span in spans]
        return min(b for b, _ in every), max(e for _, e in every)

    @property
    def middle(self) -> tuple[float, float]:
        """While every rig has begun, and none is through."""
        rigs = self.spans.values()
        return max(spans[0][0] for spans in rigs), min(spans[-1][1] for spans in rigs)


class SimulatedPool(ScriptedPool):
    """Jobs take their time on the virtual clock."""

    def __init__(self, host: HostReport, clock: Clock) -> None:
        super().__init__(host, failing(lambda c, rig: c.ctx == 8192 and c.kv_k == "f16"))
        self._clock, self._noise, self.worked = clock, random.Random(1), Worked()
        self._ends: dict[str, float] = {}

    def submit(self, rig: str, job: Job) -> None:
        """Begins now."""
        super().submit(rig, job)
        failed = isinstance(self._ended[-1][0].outcome, Failed)
        usual = FAILURE_S if failed else TRIAL_S
        began = self._clock.now()
        self._ends[rig] = began + usual * self._noise.uniform(1 - SPREAD, 1 + SPREAD)
        self.worked.spans.setdefault(rig, []).append((began, self._ends[rig]))

    def wait(self, timeout_s: float) -> list[Finished]:
        """Those that have ended, or the next one to end."""
        if not self._ended:
            return []
        self._clock.until(min(self._ends[finished.rig] for finished, _ in self._ended))
        now = self._clock.now()
        done = [entry for entry in self._ended if self._ends[entry[0].rig] <= now]
        self._ended = [entry for entry in self._ended if entry not in done]
        return [finished for finished, _ in done]


@dataclass(frozen=True)
class Run:
    """One fleet: shares of time worked, and the driver's seconds of processor per job."""

    rigs: int
    kinds: int
    trials: int
    whole: float
    middle: float
    hours: float
    driver_s: float


def simulate(rigs: int, kinds: int, trials: int, folder: Path) -> Run:
    """A sweep over so many rigs of so many kinds, with so many trials for each rig."""
    space = loads(SPACE.format(trials=trials * rigs // kinds))
    fleet = [make_rig(f"rig{i}", card=f"Card of kind {i % kinds}") for i in range(rigs)]
    host, clock = make_host(space, fleet), Clock()
    pool, plan = SimulatedPool(host, clock), make_plan(space, host, fleet)
    with open_database(str(folder / f"{rigs}-{kinds}.db")) as database:
        Session(plan, database, pool, Silent(), folder / "logs").run()
    begin, end = pool.worked.whole
    jobs = sum(len(spans) for spans in pool.worked.spans.values())
    computed = (end - begin) - clock.jumped  # it first jumps when the first jobs run
    return Run(
        rigs,
        kinds,
        jobs,
        pool.worked.share(begin, end),
        pool.worked.share(*pool.worked.middle),
        (end - begin) / 3600,
        computed / jobs,
    )


def report(runs: list[Run]) -> str:
    """The figures as Markdown."""
    lines = [
        "# Utilisation of simulated fleets",
        "",
        f"`python -m benchmarks.utilisation`, Python {platform.python_version()}, SQLite, one "
        f"driver. Simulated: trials of {TRIAL_S:.0f} s ± {SPREAD:.0%}, and failures that take "
        f"{FAILURE_S:.0f} s; the clock counts the driver's processor time, and no waiting for the "
        "disk. Equal rigs share one search and its budget, different ones share nothing. `steady`: "
        "from when every rig has begun until the first is through; `whole`: from the first job "
        "to the last one's end, with the start (rigs begin one after another) and the end.",
        "",
        "| rigs | kinds | jobs | simulated h | driver, ms a job | worked, steady | worked, whole |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in runs:
        lines.append(
            f"| {run.rigs} | {run.kinds} | {run.trials} | {run.hours:.2f} "
            f"| {1e3 * run.driver_s:.0f} | {run.middle:.1%} | {run.whole:.1%} |"
        )
    most = max(runs, key=lambda run: (run.rigs, run.kinds))
    busy = most.driver_s * most.trials / (most.hours * 3600)
    lines += [
        "",
        f"With {most.rigs} rigs the driver computes for {busy:.0%} of the time: that is its limit, "
        "since it does one thing after another. At the end of a search equal rigs wait for the "
        "last trial in flight, half a trial on average; a rig of its own kind is through early "
        "when many of its trials fail early, and then has nothing to do.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rigs", type=int, nargs="+", default=[1, 8, 64, 256])
    parser.add_argument("--trials", type=int, default=24, help="trials for each rig")
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fleets = [
            (rigs, kinds)
            for rigs in asked.rigs
            for kinds in sorted({1, rigs if rigs <= MANY else 1})
        ]
        runs = []
        for rigs, kinds in fleets:
            trials = asked.trials // (3 if rigs > MANY else 1)
            runs.append(simulate(rigs, kinds, trials, Path(folder)))
            print(runs[-1], file=sys.stderr)
    text = report(runs)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
