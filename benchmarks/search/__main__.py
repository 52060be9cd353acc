"""How much of the best front a search has found, by trials and by rig time.

    python -m benchmarks.search [--seeds 20] [--surface 0 1 2] [--output REPORT.md]

Every surface's whole front is known. What a search has found is scored by the true values of the
candidates whose measured values, noise and all, are not dominated.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.search.card_24gb import CARD_24GB
from benchmarks.search.public_27b import PUBLIC_27B
from benchmarks.search.recorded_h200 import RECORDED_H200
from benchmarks.search.scores import Score, score, whole
from benchmarks.search.surface import Surface
from benchmarks.search.ways import ways

SURFACES = (PUBLIC_27B, RECORDED_H200, CARD_24GB)
LEVEL = 0.01  # of a two-sided Mann-Whitney test; above it, two ways tie
WORSE, BETTER, TIE = "▼", "▲", ""


def report(surfaces: Sequence[Surface], seeds: int) -> str:
    """The figures as Markdown."""
    lines = [
        "# Search efficiency",
        "",
        f"`python -m benchmarks.search --seeds {seeds}`. Simulated searches on surfaces whose "
        "whole front is known; nothing here was measured. Share of the whole front's hypervolume, "
        "mean and its 95 % interval over seeds; minutes are simulated time of one rig. "
        f"{WORSE}: significantly less than ours, {BETTER}: significantly more (two-sided "
        f"Mann-Whitney test, p < {LEVEL}); without a mark it is a tie. All are told a failure as a "
        "violated constraint. Optuna's samplers as they come measure again what they propose "
        "again (`repeats`); of the last one, repeats are answered from memory and cost nothing.",
    ]
    for surface in surfaces:
        lines += _section(surface, seeds)
    return "\n".join(lines) + "\n"


def _section(surface: Surface, seeds: int) -> list[str]:
    everything, most = whole(surface), max(surface.at_trials)
    fail = sum(surface.truth(candidate).point is None for candidate in surface.candidates)
    heads = [f"{n} trials" for n in surface.at_trials]
    heads += [f"{minutes:g} min" for minutes in surface.at_minutes] + ["repeats", "failures"]
    lines = [
        "",
        f"## {surface.name}",
        "",
        f"{surface.told} {len(surface.candidates)} candidates, of which {fail} fail; objectives "
        f"{', '.join(surface.space.objectives)}; {most} trials.",
        "",
        f"| |{'|'.join(f' {head} ' for head in heads)}|",
        "|---|" + "--:|" * len(heads),
    ]
    first: list[Score] = []
    verdicts = []
    for name, way in ways().items():
        scores = [score(surface, list(way(surface, s, most)), everything) for s in range(seeds)]
        first = first or scores
        cells = _cells(scores, first)
        lines.append(f"| {name} |{'|'.join(cells)}|")
        print(lines[-1], flush=True)
        if scores is not first:
            verdicts.append(f"{name} {_tally(cells)}")
    return [*lines, "", f"Ours against each (more/tie/less): {'; '.join(verdicts)}."]


def _tally(cells: Sequence[str]) -> str:
    """In how many columns ours has more, ties, has less; the last two columns are counts."""
    marks = [next((m for m in (WORSE, BETTER) if m in cell), TIE) for cell in cells[:-2]]
    return "/".join(str(marks.count(mark)) for mark in (WORSE, TIE, BETTER))


def _cells(scores: list[Score], ours: list[Score]) -> list[str]:
    theirs = zip(*((*s.by_trials, *s.by_minutes) for s in scores), strict=True)
    own = zip(*((*s.by_trials, *s.by_minutes) for s in ours), strict=True)
    cells = [
        f" {statistics.mean(a):.3f} ± {_half_width(a):.3f} {_mark(a, b)}"
        for a, b in zip(theirs, own, strict=True)
    ]
    cells.append(f" {statistics.mean(s.repeats for s in scores):.0f} ")
    cells.append(f" {statistics.mean(s.failures for s in scores):.0f} ")
    return cells


def _half_width(values: Sequence[float]) -> float:
    """Of the 95 % interval of the mean, by Student's t."""
    from scipy import stats

    error = statistics.stdev(values) / len(values) ** 0.5
    return float(stats.t.ppf(0.975, len(values) - 1)) * error


def _mark(theirs: Sequence[float], ours: Sequence[float]) -> str:
    from scipy import stats

    if stats.mannwhitneyu(theirs, ours).pvalue >= LEVEL:
        return TIE
    return f"{WORSE} " if statistics.mean(theirs) < statistics.mean(ours) else f"{BETTER} "


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=20)
    every = range(len(SURFACES))
    parser.add_argument("--surface", type=int, nargs="+", choices=every, default=[*every])
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    text = report([SURFACES[index] for index in asked.surface], asked.seeds)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
