"""Watches a rig while an engine is measured: a thread that reads ten times a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from workers.contract.outcome import Series
from workers.contract.reports import RigKind, RigReport
from workers.gpu.cpu import CpuReader
from workers.gpu.nvml import NvmlReader
from workers.gpu.reader import Reader
from workers.gpu.telemetry import Moment, summarise, thin


def reader_for(rig: RigReport, pid: int) -> Reader:
    """The reader of a rig, and of the engine with this pid on it.

    Raises LookupError where a card of the rig is not there (any more).
    """
    if rig.kind is RigKind.CUDA:
        return NvmlReader([card.uuid for card in rig.cards], pid)
    return CpuReader(pid)


class TelemetrySampler:
    """A context manager around requests; its first reading is the rig after load.

    `interval_ms` between two readings, `before_mib` the rig's level before the launch (see
    `settle`), for rigs that do not tell how much of it is the engine's. Closes the reader.
    """

    def __init__(
        self,
        reader: Reader,
        interval_ms: int = 100,
        before_mib: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._interval_s = interval_ms / 1000.0
        self._before_mib = before_mib
        self._clock = clock
        self._moments: list[Moment] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._windows = 0  # how many were ever opened
        self._busy = False
        self._thread = threading.Thread(target=self._watch, name="telemetry", daemon=True)

    def __enter__(self) -> TelemetrySampler:
        try:
            self._take()
        except BaseException:
            self._reader.close()
            raise
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        try:
            self._take()
        finally:
            self._reader.close()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Marks the time inside as serving requests: power and energy then cover it alone.

        Without any such mark the whole time counts.
        """
        self._windows += 1
        self._busy = True
        self._take()
        try:
            yield
        finally:
            self._take()
            self._busy = False

    @property
    def unsupported(self) -> tuple[str, ...]:
        """What the rig does not tell, in words."""
        return self._reader.unsupported

    def summary(self) -> dict[str, float]:
        """The figures so far; see `telemetry.summarise`. May be asked at any time."""
        return summarise(self._so_far(), self._before_mib, self._reader.throttle_reasons)

    def series(self, most: int = 200) -> Series:
        """A thinned course of the readings so far."""
        return thin(self._so_far(), most)

    def _so_far(self) -> list[Moment]:
        with self._lock:
            moments = list(self._moments)
        if self._windows:
            return moments
        return [Moment(m.at_s, m.reading, busy=True) for m in moments]

    def _take(self) -> None:
        with self._lock:
            reading = self._reader.read()
            self._moments.append(Moment(self._clock(), reading, self._busy))

    def _watch(self) -> None:
        while not self._stop.wait(self._interval_s):
            self._take()
