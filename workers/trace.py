"""The trace of a job while it grows; frozen into the outcome, also when the job fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from search_spaces.candidate import Value
from workers.contract.outcome import GateVerdict, JobTrace, LaunchRecord, Series

LOG_TAIL_CHARS = 4000


@dataclass
class Trace:
    """Collects launches, verdicts and times (seconds)."""

    began: float = field(default_factory=time.perf_counter)
    launches: list[LaunchRecord] = field(default_factory=list)
    gates: list[GateVerdict] = field(default_factory=list)
    effective: dict[str, Value] = field(default_factory=dict)
    telemetry: dict[str, float] = field(default_factory=dict)
    facets_s: float = 0.0
    start_s: float = 0.0
    log: str = ""

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Time spent inside counts as facet time."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.facets_s += time.perf_counter() - began

    def launched(self, record: LaunchRecord) -> None:
        """Notes a start of an engine."""
        self.launches.append(record)
        self.start_s += record.start_s

    def watched(self, series: Series) -> None:
        """Keeps the telemetry of the latest start."""
        self.launches[-1] = replace(self.launches[-1], series=series)

    def elapsed_s(self) -> float:
        """Seconds since the job began."""
        return time.perf_counter() - self.began

    def freeze(self) -> JobTrace:
        """What goes into the outcome."""
        return JobTrace(
            launches=tuple(self.launches),
            gates=tuple(self.gates),
            effective=dict(self.effective),
            start_s=self.start_s,
            facets_s=self.facets_s,
            wall_s=self.elapsed_s(),
            telemetry=dict(self.telemetry),
            log_tail=self.log[-LOG_TAIL_CHARS:],
        )
