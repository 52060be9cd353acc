"""What is known of each memo key while a sweep runs: measured, failed, or in flight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate, FacetResult, Sample
from workers.statistics.launches import by_launch
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a memo key could not be measured, and the job that found out."""

    diagnosis: Diagnosis
    job_id: str


@dataclass
class Ledger:
    """Keyed by memo key. The database is the record; this is the driver's copy of what it needs."""

    measured: dict[str, dict[str, Estimate]] = field(default_factory=dict)
    samples: dict[str, Sequence[Sample]] = field(default_factory=dict)
    failed: dict[str, Fault] = field(default_factory=dict)
    in_flight: set[str] = field(default_factory=set)
    _scores: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def learn(self, results: Iterable[FacetResult]) -> None:
        """Takes in measured facets."""
        for result in results:
            self.measured[result.memo_key] = {e.metric: e for e in result.estimates}
            self.learn_samples({result.memo_key: result.samples})

    def learn_samples(self, samples: Mapping[str, Sequence[Sample]]) -> None:
        """Takes in raw samples: what derived metrics and the rig's spread are computed from."""
        for key, found in samples.items():
            self.samples[key] = found
            launches = by_launch(found, RATIOS["tok_s"]) if found else None
            if launches is not None:
                self._scores[key] = launches.scores

    def spread(self) -> tuple[float, float] | None:
        """How far launches differ on this rig, pooled over its candidates: variance and df."""
        pooled = pool(self._scores.values())
        return (pooled.variance, pooled.df) if pooled else None

    def fail(self, key: str, diagnosis: Diagnosis, job_id: str) -> None:
        """Notes that a key cannot be measured."""
        self.failed[key] = Fault(diagnosis, job_id)

    def open(self, keys: Iterable[str]) -> list[str]:
        """The keys that still have to be measured and that nobody is measuring."""
        return [
            key
            for key in keys
            if key not in self.measured and key not in self.failed and key not in self.in_flight
        ]

    def failure(self, keys: Iterable[str]) -> Fault | None:
        """The first failure among these keys."""
        return next((self.failed[key] for key in keys if key in self.failed), None)

    def complete(self, keys: Iterable[str]) -> bool:
        """Whether every key is measured."""
        return all(key in self.measured for key in keys)

    def estimates(self, keys: Iterable[str]) -> Mapping[str, Estimate]:
        """Every metric known under these keys."""
        merged: dict[str, Estimate] = {}
        for key in keys:
            merged.update(self.measured.get(key, {}))
        return merged
