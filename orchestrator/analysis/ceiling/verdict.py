"""What a search found: the ceiling, what sets it, and the line that says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from orchestrator.analysis.ceiling.attempt import Attempt, Cause
from orchestrator.analysis.ceiling.search import Search


class Limit(StrEnum):
    """What sets a ceiling."""

    MEMORY = "memory"
    ENGINE = "engine bug"
    FLAKY = "flaky"
    MODEL = "model limit"
    ASKED = "limit asked for"
    UNRELATED = "unrelated to the context"
    UNKNOWN = "not known yet"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The longest context that works, 0 where none does, and what is above it.

    `above` is the shortest context seen to fail (None at the top), where `passed` of `tries`
    attempts passed; `failure` is the last that failed there. `finished` is False for a search
    that was cut short: then more may work.
    """

    limit: Limit
    ctx_max: int
    above: int | None = None
    passed: int = 0
    tries: int = 0
    failure: Attempt | None = None
    finished: bool = True


def judge(search: Search, model_limit: int | None) -> Verdict:
    """The verdict as far as the attempts go. `model_limit` is the trained context, if known."""
    finished = search.next() is None
    ctx_max = search.grid.ctx(search.low) if search.low else 0
    if search.unrelated is not None:
        return Verdict(Limit.UNRELATED, ctx_max, failure=search.unrelated)
    high = search.high
    if high > len(search.grid):
        at_model = model_limit is not None and search.grid.top >= model_limit
        limit = Limit.MODEL if at_model else Limit.ASKED
        return Verdict(limit if finished else Limit.UNKNOWN, ctx_max, finished=finished)
    zone = _zone(search)
    failed = [one for one in zone if not one.passed]
    passed = len(zone) - len(failed)
    limit = Limit.FLAKY if passed else _limit(failed)
    return Verdict(
        limit, ctx_max, search.grid.ctx(high), passed, len(zone), failed[-1], finished=finished
    )


def _zone(search: Search) -> list[Attempt]:
    """Attempts from the shortest context that fails to the longest that passed all the same."""
    high = search.high
    passed = (n for n, made in search.seen.items() if any(one.passed for one in made))
    end = max([high, *passed])
    return [one for n in sorted(search.seen) if high <= n <= end for one in search.seen[n]]


def _limit(failed: list[Attempt]) -> Limit:
    return Limit.MEMORY if all(one.cause is Cause.MEMORY for one in failed) else Limit.ENGINE
