"""What a run came to, from the entries of its jobs alone: the same sums for every tool."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from benchmarks.search.scores import front
from benchmarks.side_by_side.fleet import CARDS, KINDS, RIGS, Entry, Values, exact
from benchmarks.side_by_side.ours import SPACE
from orchestrator.analysis.hypervolume import hypervolume
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments

_WAYS = list(SPACE.objectives.values())
_REFERENCE = (0.0, 9.0)  # tok/s, perplexity


@dataclass(frozen=True)
class Outcome:
    """Of one run of one tool; times in seconds, shares from 0 to 1."""

    wall_s: float
    start_s: float
    worked: float
    worked_steady: float
    gap_s: float
    jobs: int
    answered: int
    died: int
    lost: int
    repeats: int
    on_purpose: int
    own_fronts: float
    called_best: float


def outcome(
    entries: list[Entry], best: Sequence[Candidate] | None, began: float, ended: float
) -> Outcome:
    """`best` is the list that the tool itself calls best; None where it has one for each rig."""
    by_rig = {rig: sorted((e for e in entries if e.rig == rig), key=_begin) for rig in RIGS}
    through = min(jobs[-1].end for jobs in by_rig.values())
    first = min(jobs[0].begin for jobs in by_rig.values())
    gaps = [b.begin - a.end for jobs in by_rig.values() for a, b in itertools.pairwise(jobs)]
    trials = [e for e in entries if not e.text and not e.again]
    answers = Counter((KINDS[e.rig], e.tried) for e in trials if not e.died)
    tried = {e.tried for e in trials if e.died}
    own = statistics.mean(_own_front(trials, kind) for kind in set(KINDS.values()))
    return Outcome(
        wall_s=ended - began,
        start_s=first - began,
        worked=_worked(entries, began, ended),
        worked_steady=_worked(entries, first, through),
        gap_s=statistics.mean(gaps) if gaps else 0.0,
        jobs=len(entries),
        answered=answers.total(),
        died=sum(e.died for e in entries),
        lost=len(tried - {candidate for _, candidate in answers}),
        repeats=answers.total() - len(answers),
        on_purpose=sum(e.again for e in entries),
        own_fronts=own,
        called_best=own
        if best is None
        else statistics.mean(share(best, kind) for kind in set(KINDS.values())),
    )


def _begin(entry: Entry) -> float:
    return entry.begin


def _worked(entries: Iterable[Entry], begin: float, end: float) -> float:
    inside = sum(max(0.0, min(e.end, end) - max(e.begin, begin)) for e in entries)
    return inside / ((end - begin) * len(RIGS))


def _own_front(trials: Sequence[Entry], kind: str) -> float:
    """By the values measured on this kind of card, what looks best, and what it is worth."""
    seen = {e.values: e.tried for e in trials if e.values and KINDS[e.rig] == kind}
    return share([seen[point] for point in front(list(seen), _WAYS)], kind)  # type: ignore[index]


def share(candidates: Iterable[Candidate], kind: str) -> float:
    """What candidates are worth on a kind of card, of the best that there is."""
    return _volume(_values(candidate, kind) for candidate in candidates) / _whole(kind)


@cache
def _whole(kind: str) -> float:
    return _volume(_values(candidate_of(a), kind) for a in assignments(SPACE))


def _values(candidate: Candidate, kind: str) -> Values | None:
    rig = next(rig for rig, its in KINDS.items() if its == kind)
    return exact(candidate, CARDS[rig])


def _volume(points: Iterable[Values | None]) -> float:
    there = front([point for point in points if point is not None], _WAYS)
    return hypervolume(there, _REFERENCE, _WAYS)
