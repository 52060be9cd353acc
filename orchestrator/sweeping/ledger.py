"""What is known of each memo key while a sweep runs: measured, failed, or in flight."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate, FacetResult, Sample
from workers.statistics.launches import by_launch
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool

_FEW = 500  # candidates whose spread is made anew each time


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something could not be measured, and the job that found out.

    `flag` goes on trials that fail because of it.
    """

    diagnosis: Diagnosis
    job_id: str
    flag: str = ""


@dataclass
class Ledger:
    """Keyed by memo key. The database is the record; this is the driver's copy of what it needs.

    A measurement holds wherever its key does. A failure holds in one place only: on rigs of one
    `hardware_key` where it would repeat itself (a perplexity that does not fit on a laptop's card
    may well fit on another rig's), else on the rig that was unlucky.
    """

    measured: dict[str, dict[str, Estimate]] = field(default_factory=dict)
    samples: dict[str, Sequence[Sample]] = field(default_factory=dict)
    failed: dict[tuple[str, str], Fault] = field(default_factory=dict)
    in_flight: set[str] = field(default_factory=set)
    attempts: Counter[tuple[str, str]] = field(default_factory=Counter)
    lost: dict[str, str] = field(default_factory=dict)  # the rig that lost a key's job last
    _scores: dict[str, dict[str, tuple[float, ...]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _spreads: dict[str, tuple[int, tuple[float, float] | None]] = field(default_factory=dict)

    def learn(self, results: Iterable[FacetResult], hardware: str) -> None:
        """Takes in facets that were measured on such hardware."""
        for result in results:
            self.measured[result.memo_key] = {e.metric: e for e in result.estimates}
            self.learn_samples({result.memo_key: result.samples}, hardware)

    def learn_samples(self, samples: Mapping[str, Sequence[Sample]], hardware: str) -> None:
        """Takes in raw samples: what derived metrics and the rig's spread are computed from."""
        for key, found in samples.items():
            self.samples[key] = found
            timed = found and "depth" not in found[0].values  # few requests: no scores of theirs
            launches = by_launch(found, RATIOS["tok_s"]) if timed else None
            if launches is not None:
                self._scores[hardware][key] = launches.scores

    def spread(self, hardware: str) -> tuple[float, float] | None:
        """How far launches differ on such hardware, over its candidates: variance and df.

        Every job asks. Of many candidates a few more tell nothing new: it is then made anew for
        every fiftieth part that is added.
        """
        scores = self._scores[hardware]
        seen, known = self._spreads.get(hardware, (0, None))
        if len(scores) < _FEW or len(scores) > 1.02 * seen:
            pooled = pool(scores.values())
            known = (pooled.variance, pooled.df) if pooled else None
            self._spreads[hardware] = (len(scores), known)
        return known

    def fail(self, key: str, place: str, fault: Fault) -> None:
        """Notes that a key cannot be measured in a place: a hardware key, or a rig's name."""
        self.failed[key, place] = fault

    def tried(self, keys: Iterable[str], rig: str) -> int:
        """Counts one more attempt at these keys that led to nothing; returns the most so far."""
        tried = [(key, rig) for key in keys]
        self.attempts.update(tried)
        return max((self.attempts[one] for one in tried), default=0)

    def attempt(self, keys: Iterable[str], rig: str) -> int:
        """Which attempt at these keys the next one is, from 1."""
        return 1 + max((self.attempts[key, rig] for key in keys), default=0)

    def open(self, keys: Iterable[str], places: Sequence[str]) -> list[str]:
        """The keys that are still to be measured there and that nobody is measuring."""
        return [
            key
            for key in keys
            if key not in self.measured
            and key not in self.in_flight
            and not any((key, place) in self.failed for place in places)
        ]

    def failure(self, keys: Iterable[str], places: Sequence[str]) -> Fault | None:
        """The first failure among these keys; one that was measured elsewhere is none."""
        spots = ((key, place) for key in keys if key not in self.measured for place in places)
        return next((self.failed[spot] for spot in spots if spot in self.failed), None)

    def complete(self, keys: Iterable[str]) -> bool:
        """Whether every key is measured."""
        return all(key in self.measured for key in keys)

    def estimates(self, keys: Iterable[str]) -> Mapping[str, Estimate]:
        """Every metric known under these keys."""
        merged: dict[str, Estimate] = {}
        for key in keys:
            merged.update(self.measured.get(key, {}))
        return merged
