"""What a trial costs beside its measurement: asking, recording and telling, on SQLite.

    python -m benchmarks.overhead [--trials 40 200 800] [--output REPORT.md]

Runs whole sweeps whose jobs end at once with simulated numbers, on a database file, and times
each step of the driver without what it calls of the others. Steps are timed by the processor's
clock, so that other work on the machine does not count; the wall's clock, which waits for the
disk and for others, is given for the whole. Nothing here is a measurement of an engine.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, Engine, event

from db.database import open_database
from orchestrator.sweeping.events import Silent
from orchestrator.sweeping.plan import make_plan
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.search import Search
from orchestrator.sweeping.session import Session
from orchestrator.sweeping.study import Study
from search_spaces.load import loads
from search_spaces.space import Space
from tests.support.hosts import make_host
from tests.support.scripted_pool import ScriptedPool

AIM_MS = 250.0
STEPS: tuple[tuple[str, type, tuple[str, ...]], ...] = (
    ("ask: the sampler draws", Study, ("draw", "settle")),
    ("ask: choose, drop repeats", Search, ("ask", "ask_for")),
    ("ask: store the trial (study)", Study, ("begin",)),
    ("add the trial (records)", Records, ("add",)),
    ("look up what is known", Records, ("learn",)),
    ("note that a job starts", Records, ("job_started",)),
    ("record an outcome", Records, ("job_ended",)),
    ("close a trial (records)", Records, ("completed", "failed", "replayed", "became")),
    ("tell the study", Study, ("answer", "forget")),
    ("note that it is told", Records, ("told",)),
    ("(making up the numbers)", ScriptedPool, ("submit",)),
)
SPACE = """
name: overhead
fixed: {drafter: draft}
parameters:
  model: [m1, m2, m3, m4]
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q4_0/q4_0]
  ctx: [2048, 4096, 8192, 16384]
  spec: [none, draft-dflash]
  n_max: {min: 1, max: 7}
  ubatch: [128, 256, 512]
objectives: {tok_s: maximize, ppl: minimize}
constraints: ["mem_peak_mib <= rig.vram_mib"]
measure:
  throughput: {suite: coding, predict: 64, launches: 2, passes: 2, max_passes: 2}
  perplexity: {corpus: wiki, chunks: 8}
  memory: {}
"""


@dataclass
class Times:
    """Seconds by step, each without the steps inside it; commits of anything written.

    `cpu` and `wall` are the seconds of the whole sweep.
    """

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    commits: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    jobs: int = 0
    _open: list[float] = field(default_factory=list)

    def timed(self, label: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, with its time booked under a label."""

        @wraps(method)
        def step(*args: Any, **kwargs: Any) -> Any:
            self._open.append(0.0)
            began = time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                spent = time.process_time() - began
                self.seconds[label] += spent - self._open.pop()
                if self._open:
                    self._open[-1] += spent

        return step


@contextmanager
def watched(times: Times) -> Iterator[None]:
    """Books every step and commit while it lasts."""

    def note(connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            connection.info["written"] = True

    def commit(connection: Connection) -> None:
        times.commits += bool(connection.info.pop("written", False))

    with ExitStack() as stack:
        for label, owner, names in STEPS:
            for name in names:
                method = times.timed(label, getattr(owner, name))
                stack.enter_context(patch.object(owner, name, method))
        for name, listener in (("before_cursor_execute", note), ("commit", commit)):
            event.listen(Engine, name, listener)
            stack.callback(event.remove, Engine, name, listener)
        yield


def measure(space: Space, folder: Path) -> Times:
    """One sweep on a new database file."""
    host = make_host(space)
    pool, times = ScriptedPool(host), Times()
    with open_database(str(folder / f"{space.budget.trials}.db")) as database:
        session = Session(make_plan(space, host, host.rigs), database, pool, Silent(), folder)
        with watched(times):
            began, worked = time.perf_counter(), time.process_time()
            session.run()
            times.wall = time.perf_counter() - began
            times.cpu = time.process_time() - worked
    times.jobs = len(pool.runs)
    return times


def report(runs: dict[int, Times]) -> str:
    """Markdown: milliseconds a trial, by step and size of the sweep."""
    heads = "".join(f" {trials:,} trials |" for trials in runs)
    lines = [
        "# Overhead of a trial",
        "",
        "`python -m benchmarks.overhead`",
        "",
        f"SQLite on a local disk, {os.cpu_count()} cores, Python {platform.python_version()}; one "
        "rig, six axes, two objectives and a limit, three facets. Jobs end at once with simulated "
        "numbers: what is left is the driver's own work, in milliseconds a trial.",
        "",
        f"| step |{heads}",
        "|---|" + "--:|" * len(runs),
    ]
    labels = [label for label, _, _ in STEPS]
    for label in labels:
        cells = "".join(f" {1e3 * t.seconds[label] / n:.1f} |" for n, t in runs.items())
        lines.append(f"| {label} |{cells}")
    made_up = labels[-1]
    rest = {n: t.cpu - sum(t.seconds.values()) for n, t in runs.items()}
    own = {n: 1e3 * (t.cpu - t.seconds[made_up]) / n for n, t in runs.items()}
    wall = {n: 1e3 * (t.wall - t.seconds[made_up]) / n for n, t in runs.items()}
    lines.append("| everything else |" + "".join(f" {1e3 * rest[n] / n:.1f} |" for n in runs))
    lines.append("| **overhead a trial** |" + "".join(f" **{ms:.0f}** |" for ms in own.values()))
    lines.append(
        "| the same by the wall's clock |" + "".join(f" {ms:.0f} |" for ms in wall.values())
    )
    lines.append(
        "| commits a trial |" + "".join(f" {t.commits / n:.1f} |" for n, t in runs.items())
    )
    lines.append("| jobs a trial |" + "".join(f" {t.jobs / n:.2f} |" for n, t in runs.items()))
    verdict = "kept" if max(wall.values()) <= AIM_MS else "missed"
    lines += ["", f"Aim: at most {AIM_MS:.0f} ms a trial by the wall's clock; {verdict}."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, nargs="+", default=[40, 200, 800])
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    runs: dict[int, Times] = {}
    with tempfile.TemporaryDirectory() as folder:
        measure(loads(f"{SPACE}budget: {{trials: 4}}\n"), Path(folder))  # imports and caches
        for trials in arguments.trials:
            space = loads(f"{SPACE}budget: {{trials: {trials}}}\n")
            runs[trials] = measure(space, Path(folder))
    text = report(runs)
    print(text)
    if arguments.output is not None:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
