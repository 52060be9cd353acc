"""Our driver, plain Optuna and Ray Tune on the same simulated fleet, one after another.

    python -m benchmarks.side_by_side [--seeds 3] [--trials 12] [--output REPORT.md]

Ray Tune needs packages that are no dependency of this project: `pip install "ray[tune]"`, best in
an environment of its own. Without them it is left out, and the report says so.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple
from pathlib import Path

from benchmarks.side_by_side import ours, plain_optuna, ray_tune
from benchmarks.side_by_side.fleet import RIGS, SPEED_S, TEXT_S, Book
from benchmarks.side_by_side.outcome import Outcome, outcome
from search_spaces.candidate import Candidate

Tool = Callable[[Book, int], list[Candidate] | None]  # returns the study's own list of the best
TOOLS: dict[str, Tool] = {
    "ours": ours.run,
    "plain Optuna, n_jobs": plain_optuna.run,
    "Ray Tune + OptunaSearch": ray_tune.run,
}
ROWS = (  # the fields of an outcome, in their order
    ("wall time, s", 0),
    ("before the first job, s", 0),
    ("rigs at work while the tool ran", 2),
    ("rigs at work until the first one had nothing left", 2),
    ("idle between two jobs of a rig, s (mean)", 2),
    ("jobs", 0),
    ("trials with an answer (value or does not fit)", 0),
    ("workers that died", 0),
    ("trials lost to that", 1),
    ("candidates measured again by accident", 1),
    ("baselines measured again on purpose", 1),
    ("hypervolume, fronts from each card's own trials", 3),
    ("hypervolume, the list that the tool calls best", 3),
)


def play(tool: Tool, seed: int, trials: int) -> Outcome:
    """One run of one tool in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as folder:
        book = Book(Path(folder), seed)
        began = time.time()
        best = tool(book, trials)
        return outcome(book.entries(), best, began, time.time())


def report(results: dict[str, list[Outcome]], seeds: int, trials: int, absent: str | None) -> str:
    """The figures as Markdown."""
    lines = [
        "# Side by side",
        "",
        f"`python -m benchmarks.side_by_side --seeds {seeds} --trials {trials}`. A simulated fleet "
        f"of {len(RIGS)} cards of two kinds, {trials} trials for each; nothing here is measured. "
        f"Jobs really take their time: {SPEED_S:g} s of speed and {TEXT_S:g} s of perplexity, "
        "± 20 %, where real ones take minutes, so idle time weighs more here. One worker in ten "
        "dies half-way through the first job of a candidate. Mean over seeds, and the range.",
        "",
        f"| |{'|'.join(f' {name} ' for name in results)}|",
        "|---|" + "--:|" * len(results),
    ]
    for index, (label, digits) in enumerate(ROWS):
        cells = [
            _cell([astuple(outcome)[index] for outcome in outcomes], digits)
            for outcomes in results.values()
        ]
        lines.append(f"| {label} |{'|'.join(cells)}|")
    return "\n".join([*lines, "", *_remarks(absent)]) + "\n"


def _cell(values: Sequence[float], digits: int) -> str:
    mean = statistics.mean(values)
    ends = (
        f" ({min(values):.{digits}f}-{max(values):.{digits}f})" if min(values) < max(values) else ""
    )
    return f" {mean:.{digits}f}{ends} "


def _remarks(absent: str | None) -> list[str]:
    said = [
        "Mixed cards: ours keeps a study and a front for each kind of card, and measures "
        "perplexity once for all of them. The other two have one study, to which a value is a "
        "value, whichever card it came from: their list of the best favours what happened to "
        "run on the fastest card, and may not fit the smallest. `Hypervolume`: share of the "
        "whole front's, mean over the kinds of cards. From each card's own trials: what a user "
        "could work out who wrote down where each trial ran. The list that the tool calls "
        "best: the true values of its candidates on each kind of card.",
        "",
        "What counts for ours: its trials contain the baselines that speed-ups refer to. What "
        "counts for the others: all of their trials search. In plain Optuna a dying worker is an "
        "exception in a thread; a real one would end the whole process.",
    ]
    return [*said, "", f"Ray Tune was left out: {absent}"] if absent else said


def main() -> None:
    """Prints the report, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--trials", type=int, default=12, help="for each rig")
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    absent = ray_tune.missing()
    results: dict[str, list[Outcome]] = {}
    for name, tool in TOOLS.items():
        if tool is ray_tune.run and absent:
            continue
        results[name] = [play(tool, seed, asked.trials) for seed in range(asked.seeds)]
        print(name, *results[name], sep="\n", flush=True)
    text = report(results, asked.seeds, asked.trials, absent)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
