"""How often a winner is declared among candidates that are truly equal: at most 5 % is wanted.

python -m benchmarks.false_winners [--sweeps 300] [--out benchmarks/results/false_winners.md]
"""

from __future__ import annotations

import argparse
import itertools
import statistics
from pathlib import Path

import numpy as np
from numpy.random import Generator

from benchmarks.simulated_rigs import Protocol, measure, prompt_times
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.front import front_of
from orchestrator.analysis.recommend import recommend
from orchestrator.analysis.records import Measured
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction
from workers.contract.outcome import Sample
from workers.statistics.comparison import Verdict
from workers.statistics.launches import by_launch
from workers.statistics.paired import compare_perplexity, compare_throughput
from workers.statistics.rate import estimates
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool

SWEEP = 24


def speed_pairs(how: Protocol, sweeps: int, rng: Generator) -> tuple[float, float]:
    """Share of pairs of equal candidates with a verdict, without and with the rig's pool."""
    alone, pooled = [], []
    for _ in range(sweeps):
        times = prompt_times(rng, how.prompts)
        sweep = [measure(rng, times, how) for _ in range(SWEEP)]
        every = [by_launch(samples, RATIOS["tok_s"]) for samples in sweep]
        spread = pool(one.scores for one in every if one)
        for a, b in zip(sweep[::2], sweep[1::2], strict=True):
            alone.append(compare_throughput(a, b).verdict is not Verdict.TIE)
            pooled.append(compare_throughput(a, b, spread=spread).verdict is not Verdict.TIE)
    return statistics.mean(alone), statistics.mean(pooled)


def perplexity_pairs(chunks: int, pairs: int, rng: Generator) -> float:
    """Share of pairs that differ by rounding noise only and still get a verdict."""
    verdicts = []
    for _ in range(pairs):
        base = rng.normal(800, 80, chunks)

        def variant(base: np.ndarray = base) -> list[Sample]:
            noise = rng.standard_t(5, chunks) * 0.4
            return [
                Sample(str(i), {"nll": float(n), "tokens": 256.0})
                for i, n in enumerate(base + noise)
            ]

        verdicts.append(compare_perplexity(variant(), variant()).verdict is not Verdict.TIE)
    return statistics.mean(verdicts)


def sweeps_of_equals(
    candidates: int, how: Protocol, sweeps: int, rng: Generator
) -> tuple[float, float]:
    """Share of sweeps in which any of the equal candidates is dominated, or a lead is shown.

    The lead is that of the recommended fastest candidate over its runner-up.
    """
    goals = {"tok_s": Direction.MAXIMIZE}
    dominated, lead = [], []
    for _ in range(sweeps):
        times = prompt_times(rng, how.prompts)
        records = []
        for trial_id in range(candidates):
            samples = measure(rng, times, how)
            made = {one.metric: one for one in estimates(samples)}
            same = Candidate(model="m")
            records.append(Measured(trial_id, "rig", same, estimates=made, throughput=samples))
        comparer = Comparer(records)
        front = front_of(records, goals, comparer)
        picks = {pick.key: pick for pick in recommend(front, comparer)}
        dominated.append(len(front.members) < candidates)
        lead.append(picks["fastest"].shown)
    return statistics.mean(dominated), statistics.mean(lead)


def main() -> None:
    """Runs all three and writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    lines = [
        "# False winners among equal candidates",
        "",
        f"`python -m benchmarks.false_winners --sweeps {options.sweeps} --seed {options.seed}`",
        "",
        "Simulated, nothing measured; 8 prompts, 2 passes a launch. Wanted: at most 5 %.",
        "",
        "## Pairs of equal speed",
        f"{options.sweeps * SWEEP // 2:,} pairs a row; a verdict other than tie is false. `pooled` "
        f"uses the launch spread of a sweep of {SWEEP}.",
        "",
        "| launches | launch sd | pass sd | alone | pooled |",
        "|" + "---:|" * 5,
    ]
    noises = ((0.0, 0.01), (0.01, 0.02), (0.03, 0.06))
    for launches, (launch_sd, pass_sd) in itertools.product((2, 3, 4), noises):
        how = Protocol(launches=launches, launch_sd=launch_sd, pass_sd=pass_sd)
        alone, pooled = speed_pairs(how, options.sweeps, rng)
        lines.append(
            f"| {launches} | {launch_sd:.0%} | {pass_sd:.0%} | {alone:.1%} | {pooled:.1%} |"
        )
    lines += [
        "",
        "## Pairs of equal perplexity",
        f"{options.sweeps * 20:,} pairs a row, paired by chunk, noise in nats per chunk.",
        "",
        "| chunks | verdicts |",
        "|---:|---:|",
    ]
    for chunks in (3, 4, 8, 32):
        lines.append(f"| {chunks} | {perplexity_pairs(chunks, options.sweeps * 20, rng):.1%} |")
    lines += [
        "",
        "## Whole sweeps of equal candidates",
        f"{options.sweeps} sweeps a row, launch sd 1 %, pass sd 2 %. `dominated`: sweeps that lose "
        "any candidate from the front; `lead`: sweeps whose fastest is shown to lead the next.",
        "",
        "| candidates | launches | dominated | lead |",
        "|" + "---:|" * 4,
    ]
    for candidates, launches in itertools.product((8, 24), (2, 3)):
        lost, lead = sweeps_of_equals(candidates, Protocol(launches=launches), options.sweeps, rng)
        lines.append(f"| {candidates} | {launches} | {lost:.1%} | {lead:.1%} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
