"""How much of the best front a search has found, by trials and by rig time.

    python -m benchmarks.search [--seeds 8] [--output REPORT.md]

The surface is made up (see `benchmarks.search.surface`); its whole front is known. What a search
has found is scored by the true values of the candidates whose measured values are not dominated.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.search.surface import REFERENCE, SPACE, Truth, truth
from benchmarks.search.ways import Trials, ways
from orchestrator.analysis.hypervolume import hypervolume
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments

AT_TRIALS = (20, 40, 80, 160)
AT_MINUTES = (15, 30, 60)
WAYS = list(SPACE.objectives.values())
Point = tuple[float, float, float]


def volume(points: Sequence[Point]) -> float:
    """The hypervolume of points in the objectives' units."""
    return hypervolume(_front(points), REFERENCE, WAYS)


def _front(points: Sequence[Point]) -> list[Point]:
    """Those that no other one beats: the hypervolume is the same, and found sooner."""
    turned = {(-p[0], p[1], -p[2]): p for p in points}
    return [p for t, p in turned.items() if not any(o != t and _covers(o, t) for o in turned)]


def _covers(one: Point, other: Point) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def found(trials: Sequence[tuple[Candidate, Truth]]) -> float:
    """The volume of what was found, by the true values of what looked best."""
    seen = {result.point: candidate for candidate, result in trials if result.point is not None}
    best = [truth(seen[point]).point for point in _front(list(seen))]
    return volume([point for point in best if point is not None])


def scores(run: Trials, whole: float) -> tuple[list[float], list[float], int]:
    """Shares of the whole front at each number of trials and of minutes; repeats in all."""
    trials = list(run)
    by_trials = [found(trials[:n]) / whole for n in AT_TRIALS]
    by_minutes = []
    for minutes in AT_MINUTES:
        spent, within = 0.0, []
        for candidate, result in trials:
            spent += result.cost_s
            if spent <= 60 * minutes:
                within.append((candidate, result))
        by_minutes.append(found(within) / whole if spent >= 60 * minutes else float("nan"))
    return by_trials, by_minutes, len(trials) - len({c.asked_key for c, _ in trials})


def report(seeds: int) -> str:
    """The figures as Markdown."""
    every = {c.canonical(): truth(c) for c in map(candidate_of, assignments(SPACE))}
    whole = volume([t.point for t in every.values() if t.point is not None])
    fit = sum(t.point is not None for t in every.values())
    heads = [f"{n} trials" for n in AT_TRIALS] + [f"{m} min" for m in AT_MINUTES] + ["repeats"]
    lines = [
        "# Search efficiency on a made-up surface",
        "",
        f"`python -m benchmarks.search --seeds {seeds}`. {len(every)} candidates shaped like a 27B "
        f"model on a 24 GB card, of which {fit} fit; nothing here was measured. Share of the whole "
        "front's hypervolume (tok/s, perplexity, ctx), mean and standard deviation over seeds; "
        "minutes are simulated time of one rig. All are told a failure as a violated constraint; "
        "Optuna's samplers measure again what they propose again: `repeats`, of "
        f"{max(AT_TRIALS)}.",
        "",
        f"| |{'|'.join(f' {head} ' for head in heads)}|",
        "|---|" + "--:|" * len(heads),
    ]
    for name, way in ways().items():
        runs = [scores(way(seed, max(AT_TRIALS)), whole) for seed in range(seeds)]
        columns = list(
            zip(*(by_trials + by_minutes for by_trials, by_minutes, _ in runs), strict=True)
        )
        cells = [f" {statistics.mean(c):.3f} ± {statistics.stdev(c):.3f} " for c in columns]
        repeats = statistics.mean(repeats for *_, repeats in runs)
        lines.append(f"| {name} |{'|'.join(cells)}| {repeats:.0f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    text = report(asked.seeds)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
