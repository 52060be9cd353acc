"""Launches that a context ceiling takes, and how often the verdict is right.

    python -m benchmarks.ceiling [--engines 1000] [--output benchmarks/results/ceiling.md]

Engines are simulated: each has a memory limit and, in some cases, a bug or a flaky zone below it.
What the memory model expects is off by up to a given share.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from orchestrator.analysis.ceiling.attempt import Attempt, Cause
from orchestrator.analysis.ceiling.grid import Grid
from orchestrator.analysis.ceiling.search import Search
from orchestrator.analysis.ceiling.verdict import Limit, judge
from tests.orchestrator.analysis.ceiling.machines import Machine, look

STEP, TOP = 1024, 262_144
GRID = Grid(STEP, TOP)
CHANCE = 0.5  # that a launch in a flaky zone passes
ZONE = 16  # a flaky zone is up to so many steps wide


@dataclass(frozen=True)
class Case:
    """An engine, what is expected of it, and the true answer."""

    machine: Machine
    guess: int
    ctx_max: int
    limit: Limit


@dataclass(frozen=True)
class Ended:
    """What a way of looking found."""

    launches: int
    ctx_max: int
    limit: Limit


Make = Callable[[random.Random], Case]


def memory(error: float) -> Make:
    """Memory is the limit."""

    def make(rng: random.Random) -> Case:
        limit = rng.randrange(8 * STEP, TOP - STEP)
        return Case(Machine(memory=limit), _guess(limit, error, rng), _floor(limit), Limit.MEMORY)

    return make


def bug(rng: random.Random) -> Case:
    """The engine fails at 30 to 95 % of what memory allows."""
    limit = rng.randrange(16 * STEP, TOP - STEP)
    at = int(limit * rng.uniform(0.3, 0.95))
    case = Machine(memory=limit, bug=at)
    return Case(case, _guess(limit, 0.1, rng), _floor(at), Limit.ENGINE)


def flaky(rng: random.Random) -> Case:
    """Up to 16 steps in which every second launch passes, below a bug."""
    limit = rng.randrange(48 * STEP, TOP - STEP)
    steady = int(limit * rng.uniform(0.3, 0.6))
    end = _floor(steady) + STEP * rng.randint(1, ZONE)
    chance = random.Random(rng.random())
    machine = Machine(memory=limit, bug=end, steady=steady, chance=CHANCE, rng=chance)
    return Case(machine, _guess(limit, 0.1, rng), _floor(steady), Limit.FLAKY)


def model(rng: random.Random) -> Case:
    """Memory would do for more than the model was trained for."""
    limit = int(TOP * rng.uniform(1.2, 3))
    return Case(Machine(memory=limit), _guess(limit, 0.1, rng), TOP, Limit.MODEL)


CASES: dict[str, Make] = {
    "memory, prediction within ±1 %": memory(0.01),
    "memory, prediction within ±10 %": memory(0.1),
    "engine bug at 30–95 % of it": bug,
    "flaky zone of 1–16 steps below a bug": flaky,
    "model limit": model,
}


def ours(case: Case) -> Ended:
    """The search of this program."""
    search = Search(GRID, case.guess)
    launches = look(search, case.machine)
    verdict = judge(search, TOP)
    return Ended(launches, verdict.ctx_max, verdict.limit)


def bisection(tries: int) -> Callable[[Case], Ended]:
    """Halving from 0 to the model's limit; a context works if `tries` launches of it pass."""

    def run(case: Case) -> Ended:
        low, high, launches = 0, len(GRID) + 1, 0
        above: list[Attempt] = []
        while high - low > 1:
            middle, made = (low + high) // 2, list[Attempt]()
            while len(made) < tries and all(one.passed for one in made):
                made.append(case.machine.attempt(GRID.ctx(middle)))
            launches += len(made)
            if made[-1].passed:
                low = middle
            else:
                high, above = middle, made
        return Ended(launches, GRID.ctx(low) if low else 0, _said(above))

    return run


def _said(above: list[Attempt]) -> Limit:
    """The most that a bisection can say of the limit."""
    if not above:
        return Limit.MODEL
    if any(one.passed for one in above):
        return Limit.FLAKY
    return Limit.MEMORY if above[-1].cause is Cause.MEMORY else Limit.ENGINE


WAYS: dict[str, Callable[[Case], Ended]] = {
    "bisection": bisection(1),
    "bisection, 3 launches each": bisection(3),
    "this search": ours,
}


def _floor(ctx: int) -> int:
    return ctx // STEP * STEP


def _guess(limit: int, error: float, rng: random.Random) -> int:
    return int(limit * (1 + rng.uniform(-error, error)))


def rows(engines: int) -> Iterator[str]:
    """The table, a line for each kind of engine and way of looking."""
    yield "| engines | way | launches, mean | most | ceiling right | too long | limit right |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for name, make in CASES.items():
        for way, run in WAYS.items():
            rng = random.Random(f"{name}")
            cases = [make(rng) for _ in range(engines)]
            ended = [run(case) for case in cases]
            pairs = list(zip(cases, ended, strict=True))
            launches = [one.launches for one in ended]
            right = sum(case.ctx_max == one.ctx_max for case, one in pairs)
            long = sum(case.ctx_max < one.ctx_max for case, one in pairs)
            kind = sum(case.limit is one.limit for case, one in pairs)
            shares = " | ".join(f"{100 * n / engines:.1f} %" for n in (right, long, kind))
            mean = sum(launches) / engines
            yield f"| {name} | {way} | {mean:.1f} | {max(launches)} | {shares} |"


def report(engines: int) -> str:
    """The whole document."""
    return "\n".join(
        (
            "# Launches for a context ceiling",
            "",
            f"Made by `python -m benchmarks.ceiling --engines {engines}`. Simulated engines: "
            f"{engines} of each kind, a grid of {STEP:,} to {TOP:,} tokens by {STEP:,}. In a "
            f"flaky zone a launch passes with a probability of {CHANCE:g}. *Too long*: a context "
            "is called working that does not always work.",
            "",
            *rows(engines),
            "",
        )
    )


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", type=int, default=1000)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    text = report(asked.engines)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
