"""Two cards, each alone and as a pair, in one sweep: is a card ever used by two engines?

python -m benchmarks.two_cards [--pool ray] [--rigs FILE] > benchmarks/results/two_cards.md

The sweep is the command's own, on benchmarks/two_cards.yaml; beside it NVML is asked, ten times
a second, which processes compute on each card.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from workers.gpu.holders import pids_by_card
from workers.gpu.nvml import inventory

SPACE = Path(__file__).with_suffix(".yaml")
EVERY_S = 0.1


@dataclass
class Watch:
    """What NVML told: per card, how often it had 0, 1, 2, ... processes."""

    before: dict[str, frozenset[int]]
    seen: dict[str, Counter[int]] = field(default_factory=dict)
    together: int = 0  # readings in which one process held both cards: the pair
    readings: int = 0

    def look(self) -> None:
        """One reading of all cards, without what computed there before the sweep."""
        new = {c: pids - self.before.get(c, frozenset()) for c, pids in pids_by_card().items()}
        for card, pids in new.items():
            self.seen.setdefault(card, Counter())[len(pids)] += 1
        self.together += any(a & b for a, b in pairwise(new.values()))
        self.readings += 1


def watched_sweep(pool: str, rigs: Path | None, storage: Path) -> tuple[int, Watch]:
    """Runs the sweep and watches the cards; returns its exit code and what was seen."""
    command = [sys.executable, "-m", "orchestrator.cli.main", "sweep", "--space", str(SPACE)]
    command += ["--pool", pool, "--storage", str(storage)]
    command += ["--rigs", str(rigs)] if rigs else []
    watch = Watch(dict(pids_by_card()))
    with subprocess.Popen(command, stdout=sys.stderr) as sweep:
        while sweep.poll() is None:
            watch.look()
            time.sleep(EVERY_S)
    return sweep.returncode, watch


def main() -> None:
    """Prints the account as Markdown; exit code 1 where two engines met on one card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pool", default="inline", choices=["inline", "ray"])
    parser.add_argument("--rigs", type=Path, help="other rigs, for a host with one card")
    chosen = parser.parse_args()
    cards = inventory().cards
    if len(cards) < 2 and chosen.rigs is None:
        raise SystemExit(f"This needs two NVIDIA cards; this host has {len(cards)}.")
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder, "two_cards.db")
        code, watch = watched_sweep(chosen.pool, chosen.rigs, storage)
        if code:
            raise SystemExit(f"The sweep ended with exit code {code}.")
        print(f"Cards: {', '.join(card.name for card in cards)}; pool {chosen.pool}.\n")
        _print_cards(watch)
        _print_rigs(storage)
    if any(number > 1 for counts in watch.seen.values() for number in counts):
        raise SystemExit(1)


def _print_cards(watch: Watch) -> None:
    print("| card | readings | idle | one engine | two or more |\n|---|---:|---:|---:|---:|")
    for number, counts in enumerate(watch.seen.values()):
        more = sum(times for held, times in counts.items() if held > 1)
        print(f"| {number} | {counts.total()} | {counts[0]} | {counts[1]} | {more} |")
    print(f"\nOne process held both cards in {watch.together} of {watch.readings} readings.\n")


def _print_rigs(storage: Path) -> None:
    with open_database(str(storage), read_only=True) as database:
        sweep = database.sweeps.find("latest")
        groups = summarise(collect(database, sweep), sweep.space).groups
        jobs = Counter(job.rig for job in database.jobs.list(sweep.id))
    print("| rig | jobs | candidates | on its front |\n|---|---:|---:|---|")
    for group in groups:
        members = ", ".join(record.candidate.asked_key[:8] for record in group.front.members)
        print(f"| {group.key.rig} | {jobs[group.key.rig]} | {len(group.records)} | {members} |")


if __name__ == "__main__":
    main()
