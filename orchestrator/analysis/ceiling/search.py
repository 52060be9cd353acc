"""Which context to try next. A state machine: no engine, no clock, no database.

A plain bisection of 262,144 tokens to 1,024 takes eight launches, believes every launch, and
cannot say what the limit was. This one starts at what the memory model predicts. While failures
are for lack of memory it stays near there, in a window that doubles when the answer lies outside;
a failure of another kind says that memory is not the limit, so everything below is halved. In the
end both sides of the answer are tried until they are certain.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from orchestrator.analysis.ceiling.attempt import Attempt, Cause
from orchestrator.analysis.ceiling.grid import Grid

ERROR = 0.10  # how far off the model of memory is taken to be, as a share of its prediction
SURE = 2  # launches that must pass at the answer where nothing was seen to vary


@dataclass
class Search:
    """Attempts so far, from which follow the next one and, once there is none, the verdict.

    `guess` is the predicted longest context, None where nothing is predicted. A context fails
    if any attempt at it fails; `attempts` are made where a failure may be chance.
    """

    grid: Grid
    guess: int | None = None
    attempts: int = 3
    seen: dict[int, list[Attempt]] = field(default_factory=lambda: defaultdict(list))

    def learn(self, attempt: Attempt) -> None:
        """Takes in an attempt, made now or earlier, on this grid or another.

        Off the grid, what works says so of the next shorter context, what fails of the next
        longer one.
        """
        nearest = self.grid.at_or_below if attempt.passed else self.grid.at_or_above
        number = nearest(attempt.ctx)
        if 1 <= number <= len(self.grid):
            self.seen[number].append(attempt)

    @property
    def failures(self) -> list[Attempt]:
        """Every failure, at whatever context."""
        return [one for made in self.seen.values() for one in made if not one.passed]

    @property
    def high(self) -> int:
        """The number of the shortest context that fails; one beyond the grid while none does."""
        failed = (n for n, made in self.seen.items() if not all(one.passed for one in made))
        return min(failed, default=len(self.grid) + 1)

    @property
    def low(self) -> int:
        """The number of the longest context below `high` that works; 0 while none does."""
        works = (n for n, made in self.seen.items() if made and n < self.high)
        return max(works, default=0)

    @property
    def unrelated(self) -> Attempt | None:
        """A failure that no context will cure: there is nothing to search."""
        return next((one for one in self.failures if one.cause is Cause.UNRELATED), None)

    def next(self) -> int | None:
        """Tokens of the context to try next; None when everything is certain."""
        if self.unrelated is not None:
            return None
        low, high = self.low, self.high
        number = self._between(low, high) if high - low > 1 else self._unsure(low, high)
        return None if number is None else self.grid.ctx(number)

    @property
    def most_left(self) -> int:
        """How many launches there may be yet, at most about."""
        if self.next() is None:
            return 0
        low, high = self.low, self.high
        halvings = (high - low - 1).bit_length()
        return max(1, halvings + self._wanted() - len(self.seen[low] if low else ()))

    def _between(self, low: int, high: int) -> int:
        guess = self._guess()
        if guess is None:
            return (low + high) // 2
        if not self.seen:
            return guess
        if len(self.seen) == 1 and guess in self.seen:  # one step on is all, if it is exact
            return guess + 1 if guess == low else guess - 1
        return _within(low, high, guess, max(1, round(ERROR * guess)))

    def _guess(self) -> int | None:
        """The predicted number, while nothing says that memory is not the limit."""
        if self.guess is None or any(one.cause is not Cause.MEMORY for one in self.failures):
            return None
        return min(max(1, self.grid.at_or_below(self.guess)), len(self.grid))

    def _unsure(self, low: int, high: int) -> int | None:
        """The side of the answer that has not been tried often enough."""
        if low > 0 and len(self.seen[low]) < self._wanted():
            return low
        if high > len(self.grid):
            return None
        made = self.seen[high]
        settled = any(one.cause is not None and one.cause.repeats for one in made)
        flaky = any(one.passed for one in made)
        return None if settled or flaky or len(made) >= self.attempts else high

    def _wanted(self) -> int:
        """Launches that must pass at the answer: more once something was seen that may vary, and
        twice as many once it was seen to vary."""
        if any(len({one.passed for one in made}) > 1 for made in self.seen.values()):
            return 2 * self.attempts
        may = any(one.cause is not None and not one.cause.repeats for one in self.failures)
        return self.attempts if may else min(SURE, self.attempts)


def _within(low: int, high: int, guess: int, width: int) -> int:
    """A context strictly between `low` and `high`, as near to the guess as leads on."""
    while True:
        bottom, top = max(low, guess - width), min(high, guess + width)
        if top - bottom > 1:
            return (bottom + top) // 2
        if low < bottom < high:  # believed to work, and not tried yet
            return bottom
        if low < top < high:  # believed to fail, and not tried yet
            return top
        width *= 2
