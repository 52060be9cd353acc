"""Repetitions saved by stopping when it is precise enough, and when a candidate is beaten.

    python -m benchmarks.savings [--tables DIR] [--storage orchestrate.db ...] [--out FILE]

Every candidate has a fixed number of repetitions; the project's own stopping rule then decides how
many of them it would have asked for, candidate after candidate, with the points to beat and the
launch spread that a sweep would know by then. Both ends are judged by the project's own front. On
recorded tables the rates are real, the repetitions are drawn around them; on a database both are
real, and only what was measured to the end can be replayed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.recorded import Rates, experiments
from benchmarks.simulated_rigs import TOKENS, Protocol, measure
from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.front import front_of
from orchestrator.analysis.pooling import with_pooled_intervals
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction
from search_spaces.recipe import ThroughputRecipe
from workers.contract.job import Point, StoppingRule
from workers.contract.outcome import Estimate, Sample
from workers.facets.repetitions import Next, Progress, decide, rate_of
from workers.statistics.launches import by_launch
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool

HOW = " ".join((__doc__ or "").split("\n\n")[2].split())
FIXED = ThroughputRecipe(launches=2, passes=2, max_passes=8)
NOISES = ((0.005, 0.01), (0.01, 0.02), (0.02, 0.06))  # sd between launches, between passes
# Memory stands for the recorded loss: both are exact, and the less the better.
LOSS = "mem_peak_mib"


@dataclass(frozen=True, slots=True)
class Count:
    """Requests of each way of stopping, and what became of the front.

    `moved` are candidates with another place than the fixed count gives them; of those by both
    ways together `lost` were on its front and are not, `extra` the other way round.
    """

    candidates: int = 0
    fixed: int = 0
    precise: int = 0
    both: int = 0
    moved: int = 0
    lost: int = 0
    extra: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers, in order."""
        done = self.fixed, self.precise, self.both
        return self.candidates, *done, self.moved, self.lost, self.extra

    @property
    def row(self) -> str:
        """As cells of a table."""
        cells = [f"{self.candidates:,}", f"{self.fixed:,}"]
        for count, moved in ((self.precise, self.moved), (self.both, self.lost + self.extra)):
            cells += [f"{1 - count / self.fixed:.0%}", f"{1 - moved / self.candidates:.1%}"]
        return " | ".join([*cells, str(self.lost), str(self.extra)]) + " |"


def replay(
    records: Sequence[Measured],
    loss: str,
    objectives: dict[str, Direction],
    recipe: ThroughputRecipe,
) -> Count:
    """The stopping rule over candidates that were measured to the end, in their order."""
    precise, both = [_stopped(records, loss, recipe, early=early) for early in (False, True)]
    fronts = [_front(some, objectives) for some in (records, precise, both)]
    requests = [sum(len(r.throughput) for r in some) for some in (records, precise, both)]
    before, between, after = fronts
    return Count(
        len(records),
        requests[0],
        requests[1],
        requests[2],
        len(before ^ between),
        len(before - after),
        len(after - before),
    )


def _stopped(
    records: Sequence[Measured], loss: str, recipe: ThroughputRecipe, *, early: bool
) -> list[Measured]:
    points: list[Point] = []
    scores: list[tuple[float, ...]] = []
    stopped = []
    for record in records:
        spread = pool(scores)
        own = record.estimates[loss].value
        rule = StoppingRule(
            precision=recipe.precision,
            to_beat=() if record.is_baseline or not early else tuple(points),
            loss=own,
            spread=(spread.variance, spread.df) if spread else None,
        )
        kept = tuple(_asked_for(record.throughput, recipe, rule))
        launches, rate = by_launch(kept, RATIOS["tok_s"]), rate_of(rule, kept)
        if launches is not None and rate is not None:
            scores.append(launches.scores)
            points.append(Point(rate.low if rate.low is not None else rate.value, own))
        stopped.append(replace(record, throughput=kept))
    return stopped


def _asked_for(
    samples: Sequence[Sample], recipe: ThroughputRecipe, rule: StoppingRule
) -> list[Sample]:
    """Passes until the rule says stop, or nothing more was measured."""
    kept: list[Sample] = []
    passes: dict[int, list[int]] = {}
    for sample in samples:
        own = passes.setdefault(sample.launch, [])
        own += [sample.repeat] if sample.repeat not in own else []
    for number, (launch, repeats) in enumerate(sorted(passes.items())):
        for done, repeat in enumerate(sorted(repeats)):
            kept += [s for s in samples if (s.launch, s.repeat) == (launch, repeat)]
            step, _ = decide(recipe, rule, Progress(number + 1, done + 1, 0.0), kept)
            if step is Next.STOP:
                return kept
            if step is Next.LAUNCH:
                break
    return kept


def _front(records: Sequence[Measured], objectives: dict[str, Direction]) -> set[int]:
    pooled = with_pooled_intervals(records)
    return {r.trial_id for r in front_of(pooled, objectives, Comparer(pooled)).members}


def simulated(found: Sequence[Rates], noise: tuple[float, float], seed: int) -> Count:
    """A recorded sweep with repetitions drawn around its rates."""
    rng = np.random.default_rng(seed)
    records = []
    for number, rates in enumerate(found):
        times = [1000 * TOKENS / rate for rate in rates.tok_s.values()]
        how = Protocol(FIXED.launches, FIXED.max_passes, len(times), *noise)
        records.append(
            Measured(
                number,
                "recorded",
                Candidate(model=rates.name),
                estimates={LOSS: Estimate(LOSS, rates.loss)},
                throughput=measure(rng, times, how),
            )
        )
    goals = {"tok_s": Direction.MAXIMIZE, LOSS: Direction.MINIMIZE}
    return replay(with_pooled_intervals(records), LOSS, goals, FIXED)


def stored(path: str) -> Iterator[tuple[str, Count, str]]:
    """The latest sweep of a database: what the rule saves, and what it saved when it ran."""
    with open_database(path, read_only=True) as database:
        sweep = database.sweeps.find("latest")
        records = [
            r for r in collect(database, sweep) if r.state is State.COMPLETE and r.throughput
        ]
    recipe = sweep.space.measure.throughput
    cut = Counter("stopped_early" in record.flags for record in records)
    prompts = statistics.mode(len({s.label for s in r.throughput}) for r in records)
    most = len(records) * recipe.launches * recipe.max_passes * prompts
    made = sum(len(record.throughput) for record in records)
    said = (
        f"{sweep.name}: the run itself made {made:,} of at most {most:,} timed requests, so "
        f"{1 - made / most:.0%} were saved; {cut[True]} of {len(records)} candidates stopped early"
    )
    whole = [r for r in records if len({s.launch for s in r.throughput}) == recipe.launches]
    whole.sort(key=lambda record: (not record.is_baseline, record.trial_id))
    yield sweep.name, replay(whole, "ppl", dict(sweep.space.objectives), recipe), said


def main() -> None:
    """Replays everything that is given and writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, help="a folder of recorded tables")
    parser.add_argument("--storage", nargs="*", default=[], help="databases of real sweeps")
    parser.add_argument("--repeats", type=int, default=20, help="draws around each table")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    head = (
        "candidates | requests, fixed | saved by precision | same place | with early stop "
        "| same place | lost | extra |\n|---|" + "---:|" * 8
    )
    shown = [Path(word).name if "/" in word else word for word in sys.argv[1:]]
    lines = [f"`{' '.join(['python -m benchmarks.savings', *shown])}`", "", HOW, ""]
    lines += ["`lost`: on the front of the fixed count, not on this one; `extra`: the other way."]
    if options.tables:
        lines += ["", "## Recorded rates, drawn repetitions", ""]
        lines += [
            f"{FIXED.launches} launches x {FIXED.max_passes} passes fixed; at least "
            f"{FIXED.passes} passes, precision {FIXED.precision:.0%}; {options.repeats} draws.",
            "",
            f"| noise (launch, pass), table | {head}",
        ]
        known = list(experiments(options.tables))
        for noise in NOISES:
            total = Count()
            for name, found in known:
                count = sum((simulated(found, noise, s) for s in range(options.repeats)), Count())
                total += count
                if noise == NOISES[1]:
                    lines.append(f"| {noise[0]:.1%}, {noise[1]:.0%}, {name} | {count.row}")
            lines.append(f"| {noise[0]:.1%}, {noise[1]:.0%}, **all** | {total.row}")
    if options.storage:
        lines += ["", "## Real repetitions", "", f"| sweep | {head}"]
        notes = []
        for path in options.storage:
            for name, count, said in stored(path):
                lines.append(f"| {name} | {count.row}")
                notes.append(f"- {said}.")
        lines += ["", *notes]
    text = "# Repetitions saved\n\n" + "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
