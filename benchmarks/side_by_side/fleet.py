"""The simulated fleet that every tool runs on, and the file in which its jobs are noted.

Two cards of each of two kinds. A job really takes its time (a second stands for ten or more), and
some workers die half-way through the first job of a candidate. Nothing here is measured.
"""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.search.card_24gb import Card, truth
from search_spaces.candidate import Candidate

CARDS = {  # by rig; two of each kind
    "rig0": Card(24.0, 1_008.0),
    "rig1": Card(24.0, 1_008.0),
    "rig2": Card(16.0, 717.0),
    "rig3": Card(16.0, 717.0),
}
ENDLESS = Card(memory_gb=math.inf)
RIGS = tuple(CARDS)
KINDS = {"rig0": "card A", "rig1": "card A", "rig2": "card B", "rig3": "card B"}
SPEED_S, TEXT_S, FAILURE_S = 2.0, 1.0, 0.5  # speed, perplexity, an engine that does not start
SPREAD, NOISE, DYING = 0.2, 0.015, 0.1

Values = tuple[float, float]


class WorkerDiedError(Exception):
    """What a worker leaves behind that was killed."""


@dataclass(frozen=True)
class Entry:
    """One job on one rig: when it ran (seconds), what it was for, and how it ended.

    `values` are tok/s and perplexity as measured; None where the candidate does not fit, the
    worker `died`, or the job was only for a `text`'s perplexity. `again` marks a baseline that
    is measured again on purpose.
    """

    rig: str
    candidate: dict[str, str | int | float | bool]
    begin: float
    end: float
    values: Values | None
    died: bool = False
    text: bool = False
    again: bool = False

    @property
    def tried(self) -> Candidate:
        """What ran."""
        return Candidate.from_dict(self.candidate).canonical()


def exact(candidate: Candidate, card: Card) -> Values | None:
    """The true tok/s and perplexity; None where it does not fit."""
    point = truth(candidate, card).point
    return None if point is None else (point[0], point[1])


def noisy(candidate: Candidate, rig: str, seed: int) -> Values | None:
    """What a measurement says; the same one each time that is asked for it."""
    values = exact(candidate, CARDS[rig])
    if values is None:
        return None
    rng = random.Random(f"{seed}/{rig}/{candidate.canonical().asked_key}")
    return values[0] * math.exp(rng.gauss(0.0, NOISE)), values[1]


def dies(candidate: Candidate, seed: int) -> bool:
    """Whether the worker dies that has this candidate first."""
    return random.Random(f"{seed}/dies/{candidate.canonical().asked_key}").random() < DYING


def lasts(seconds: float, candidate: Candidate, rig: str) -> float:
    """So long a job takes."""
    rng = random.Random(f"{rig}/{candidate.canonical().asked_key}")
    return seconds * rng.uniform(1 - SPREAD, 1 + SPREAD)


@dataclass(frozen=True)
class Book:
    """A file of entries that several processes add to."""

    folder: Path
    seed: int

    def note(self, entry: Entry) -> None:
        """Adds one line."""
        with (self.folder / "jobs.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(entry)) + "\n")

    def entries(self) -> list[Entry]:
        """Everything noted."""
        lines = (self.folder / "jobs.jsonl").read_text(encoding="utf-8").splitlines()
        found = (json.loads(line) for line in lines)
        return [Entry(**{**e, "values": e["values"] and tuple(e["values"])}) for e in found]

    def strikes(self, candidate: Candidate) -> bool:
        """Whether the worker that asks dies now: it does once for a candidate, if at all."""
        mark = self.folder / f"died-{candidate.canonical().asked_key}"
        if not dies(candidate, self.seed) or mark.exists():
            return False
        mark.touch()
        return True

    def work(self, candidate: Candidate, rig: str) -> Values | None:
        """A whole trial as a script would do it: launch, speed, perplexity. Takes its time.

        Raises WorkerDiedError half-way where the fleet loses this worker.
        """
        begin, values = time.time(), noisy(candidate, rig, self.seed)
        died = self.strikes(candidate)
        takes = FAILURE_S if values is None else SPEED_S + TEXT_S
        time.sleep(lasts(takes, candidate, rig) / (2 if died else 1))
        values = None if died else values
        self.note(Entry(rig, candidate.as_dict(), begin, time.time(), values, died))
        if died:
            raise WorkerDiedError(f"{rig}: killed")
        return values
