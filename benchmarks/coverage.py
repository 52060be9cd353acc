"""How often the 95 % intervals of tok/s hold the truth, over simulated measurements.

    python -m benchmarks.coverage [--measurements 2000] [--out benchmarks/results/coverage.md]

Three intervals are compared: `launches` (Student's t over launches, what a single measurement
gets), `pooled` (moderated by the launch spread of a sweep of 24 candidates) and a plain
`bootstrap` over all passes, as a warning. Under `uneven` the candidates of a sweep truly differ
in their launch spread (log-normal, 30 %), which the pool assumes they hardly do.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.random import Generator

from benchmarks.simulated_rigs import TOKENS, Protocol, measure, prompt_times
from workers.contract.outcome import Estimate, Sample
from workers.statistics.launches import by_launch
from workers.statistics.rate import of_launches, relative_half_width
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool

SWEEP = 24
KINDS = ("launches", "pooled", "bootstrap")


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: coverage (share) and median half-width (share) of each kind of interval."""

    how: Protocol
    uneven: float
    coverage: dict[str, float]
    width: dict[str, float]


def settings() -> Iterator[tuple[Protocol, float]]:
    """Launches x launch spread x pass noise, then uneven candidates."""
    for launches, launch_sd, pass_sd in itertools.product((2, 3, 4), (0, 0.01, 0.03), (0.01, 0.06)):
        yield Protocol(launches=launches, launch_sd=launch_sd, pass_sd=pass_sd), 0.0
    for launches in (2, 3, 4):
        yield Protocol(launches=launches, launch_sd=0.015, pass_sd=0.02), 0.3


def run(how: Protocol, uneven: float, measurements: int, rng: Generator) -> Row:
    """Simulates whole sweeps until there are enough measurements."""
    hits: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    widths: dict[str, list[float]] = {kind: [] for kind in KINDS}
    while len(hits["pooled"]) < measurements:
        truths, all_samples = [], []
        for _ in range(SWEEP):
            times = prompt_times(rng, how.prompts)
            factor = float(np.exp(rng.normal(0, uneven))) if uneven else 1.0
            mine = replace(how, launch_sd=how.launch_sd * factor, pass_sd=how.pass_sd * factor)
            truths.append(1000 * TOKENS * len(times) / sum(times))
            all_samples.append(measure(rng, times, mine))
        every = [launches for s in all_samples if (launches := by_launch(s, RATIOS["tok_s"]))]
        spread = pool(launches.scores for launches in every)
        for truth, samples, launches in zip(truths, all_samples, every, strict=True):
            made = {
                "launches": of_launches(launches),
                "pooled": of_launches(launches, spread),
                "bootstrap": bootstrap(samples, rng),
            }
            for kind, estimate in made.items():
                assert estimate.low is not None and estimate.high is not None
                hits[kind].append(estimate.low <= truth <= estimate.high)
                widths[kind].append(relative_half_width(estimate) or 0.0)
    return Row(
        how,
        uneven,
        {kind: statistics.mean(hits[kind]) for kind in KINDS},
        {kind: statistics.median(widths[kind]) for kind in KINDS},
    )


def bootstrap(samples: tuple[Sample, ...], rng: Generator, draws: int = 200) -> Estimate:
    """What is often done: resample the passes of each prompt, launches ignored."""
    labels = sorted({sample.label for sample in samples})
    ms = np.array([[s.values["predicted_ms"] for s in samples if s.label == p] for p in labels])
    picks = rng.integers(0, ms.shape[1], (draws, *ms.shape))
    drawn = np.take_along_axis(ms[None], picks, axis=2).mean(axis=2).sum(axis=1)
    rates = 1000 * TOKENS * len(labels) / drawn
    low, high = np.quantile(rates, [0.025, 0.975])
    value = 1000 * TOKENS * len(labels) / float(ms.mean(axis=1).sum())
    return Estimate("tok_s", value, float(low), float(high))


def table(rows: list[Row]) -> str:
    """The result as a Markdown table."""
    lines = [
        "| launches | launch sd | pass sd | candidates | launches: cover | width | pooled: cover "
        "| width | bootstrap: cover | width |",
        "|" + "---:|" * 10,
    ]
    for row in rows:
        cells = [f"{row.coverage[k]:.1%} | ±{row.width[k]:.2%}" for k in KINDS]
        kind = f"uneven {row.uneven:.0%}" if row.uneven else "even"
        how = row.how
        head = f"| {how.launches} | {how.launch_sd:.1%} | {how.pass_sd:.0%} | {kind} | "
        lines.append(head + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Runs every setting and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measurements", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows = [run(how, uneven, options.measurements, rng) for how, uneven in settings()]
    text = (
        "# Coverage of the 95 % intervals of tok/s\n\n"
        f"`python -m benchmarks.coverage --measurements {options.measurements} "
        f"--seed {options.seed}`\n\n"
        f"Simulated, nothing measured: {options.measurements:,} measurements a row, 8 prompts that "
        "differ threefold, 2 passes a launch, normal launch effects, Student-t(4) pass "
        f"noise, sweeps of {SWEEP} candidates. `width` is the median half-width.\n\n"
        f"{table(rows)}\n\n"
        "`launches`: Student's t over launches, from one measurement alone. `pooled`: the same, "
        "moderated by the launch spread of the whole sweep. `bootstrap`: passes resampled, "
        "launches ignored; it is here to show why it is not used.\n"
    )
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
