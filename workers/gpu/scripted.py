"""A rig that plays a script, for tests: each reading is the next one, the last one stays."""

from __future__ import annotations

from collections.abc import Sequence

from workers.gpu.reader import Reading


class ScriptedReader:
    """Plays `readings`; `taken` counts how often it was asked, `closed` whether it was closed."""

    name = "scripted"

    def __init__(
        self,
        readings: Sequence[Reading],
        throttle_reasons: Sequence[str] = (),
        unsupported: Sequence[str] = (),
    ) -> None:
        if not readings:
            raise ValueError("a script needs at least one reading")
        self._readings = tuple(readings)
        self._throttle_reasons = tuple(throttle_reasons)
        self._unsupported = tuple(unsupported)
        self.taken = 0
        self.closed = False

    @property
    def unsupported(self) -> tuple[str, ...]:
        """As scripted."""
        return self._unsupported

    @property
    def throttle_reasons(self) -> tuple[str, ...]:
        """As scripted."""
        return self._throttle_reasons

    def read(self) -> Reading:
        """The next reading of the script."""
        reading = self._readings[min(self.taken, len(self._readings) - 1)]
        self.taken += 1
        return reading

    def close(self) -> None:
        """Noted."""
        self.closed = True
