"""What a server's counters did while it was watched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from workers.doctor.server.exposition import Scrape
from workers.doctor.server.vocabulary import GAUGES, SPELLINGS, Reading, ServerKind


class NotToldError(Exception):
    """A reading that a server does not have, or not often enough to judge by."""


@dataclass(frozen=True)
class Window:
    """Scrapes of one server, oldest first. Where a counter went back (the server was started
    again), `since_reset` keeps what came after."""

    kind: ServerKind
    scrapes: tuple[Scrape, ...] = ()

    @property
    def seconds(self) -> float:
        """From the first to the last scrape."""
        return self.scrapes[-1].at - self.scrapes[0].at if self.scrapes else 0.0

    def tells(self, reading: Reading) -> bool:
        """Whether the server has it."""
        return bool(self.scrapes) and self._value(self.scrapes[-1], reading) is not None

    def delta(self, reading: Reading) -> float:
        """How much a counter rose. Raises NotToldError."""
        values = self._values(reading)
        if len(values) < 2:
            raise NotToldError(f"two looks at the {reading} are needed")
        return values[-1] - values[0]

    def total(self, reading: Reading) -> float:
        """A counter since the server's start. Raises NotToldError."""
        return self._values(reading)[-1]

    def mean(self, reading: Reading) -> float:
        """A gauge's mean over the looks. Raises NotToldError."""
        values = self._values(reading)
        return sum(values) / len(values)

    def peak(self, reading: Reading) -> float:
        """A gauge's highest value. Raises NotToldError."""
        return max(self._values(reading))

    def share(self, reading: Reading, above: float) -> float:
        """In what share of the looks a gauge was above a value. Raises NotToldError."""
        values = self._values(reading)
        return sum(value > above for value in values) / len(values)

    def positions(self) -> int:
        """At how many positions of a draft tokens were ever accepted. Raises NotToldError."""
        if not self.tells(Reading.ACCEPTED_AT):
            raise NotToldError(f"the server does not tell {Reading.ACCEPTED_AT}")
        rows = self.scrapes[-1].rows(SPELLINGS[self.kind][Reading.ACCEPTED_AT])
        told = [int(labels["position"]) for labels, value in rows if value > 0]
        return max(told, default=-1) + 1

    @property
    def since_reset(self) -> Window:
        """The part after the last time that a counter went back; all of it when none did."""
        start = 0
        for index, (before, after) in enumerate(pairwise(self.scrapes), 1):
            if any(self._fell(before, after, r) for r in Reading if r not in GAUGES):
                start = index
        return Window(self.kind, self.scrapes[start:])

    def _fell(self, before: Scrape, after: Scrape, reading: Reading) -> bool:
        was, now = self._value(before, reading), self._value(after, reading)
        return was is not None and now is not None and now < was

    def _values(self, reading: Reading) -> Sequence[float]:
        told = [self._value(scrape, reading) for scrape in self.scrapes]
        values = [value for value in told if value is not None]
        if not values:
            raise NotToldError(f"the server does not tell {reading}")
        return values

    def _value(self, scrape: Scrape, reading: Reading) -> float | None:
        """Summed over engines and models; a share is that of the fullest."""
        rows = scrape.rows(SPELLINGS[self.kind].get(reading, ()))
        values = [value for _, value in rows if math.isfinite(value)]
        if not values:
            return None
        return max(values) if reading is Reading.KV_USED else sum(values)
