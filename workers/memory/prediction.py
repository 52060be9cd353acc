"""What a launch will occupy, place by place."""

from __future__ import annotations

from dataclasses import dataclass

from workers.memory.terms import MIB, TERMS, Terms


@dataclass(frozen=True, slots=True)
class Prediction:
    """Terms per device and for the host.

    `uncertain` names the terms that are estimates: they count in `estimate`, not in
    `lower_bound`. `notes` are sentences on what could not be known. `resident`: weights on the
    host cannot be paged out.
    """

    devices: tuple[Terms, ...]
    host: Terms
    uncertain: frozenset[str]
    notes: tuple[str, ...] = ()
    resident: bool = False

    def lower_bound(self, device: int | None = None) -> int:
        """Bytes that are certain, on one device or over all of them."""
        places = self.devices if device is None else (self.devices[device],)
        return sum(terms.total(without=self.uncertain) for terms in places)

    def estimate(self, device: int | None = None) -> int:
        """Bytes expected after loading; a peak while generating is 200 to 300 MiB above.

        Without calibrated compute buffers this is too low, and `notes` say so.
        """
        places = self.devices if device is None else (self.devices[device],)
        return sum(terms.total() for terms in places)

    def describe(self) -> str:
        """Lines for a person: each place with its terms, then what is unknown."""
        lines = []
        for index, terms in enumerate(self.devices):
            bound = self.lower_bound(index)
            line = f"device {index}: {bound / MIB:.0f} MiB ({terms.describe(self.uncertain)})"
            more = self.estimate(index) - bound
            if more:
                guesses = terms.describe(without=frozenset(TERMS) - self.uncertain)
                line += f" and about {more / MIB:.0f} MiB ({guesses})"
            lines.append(line)
        lines.append(f"host: {self.host.total() / MIB:.0f} MiB ({self.host.describe()})")
        places = (*self.devices, self.host)
        unknown = sorted({label for terms in places for label in terms.unknown()})
        if unknown:
            lines.append(f"not known: {', '.join(unknown)}")
        return "\n".join((*lines, *self.notes))
