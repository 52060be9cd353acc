"""Running text of any length for filling a context: always the same, and never repeating.

A repeated paragraph would flatter everything that drafts from the prompt, so each note is made
of parts and numbers. The notes are invented; the generator is our own, because a suite's hash
must not change with a version of Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_STATIONS = (
    "Holmwood",
    "Eastgate",
    "Crane Hill",
    "Lower Mill",
    "Saint Anne",
    "Fairwater",
    "Old Quarry",
    "Northfield",
    "Harbour Road",
    "Birch Lane",
    "Long Meadow",
    "Westbrook",
)
_PEOPLE = (
    "Ida Berg",
    "Tom Okafor",
    "Lena Fuchs",
    "Paul Marin",
    "Nora Quist",
    "Sam Whitlock",
    "Aiko Mori",
    "Jan Novak",
    "Rosa Delgado",
    "Karl Stein",
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
# {p} a person, {q} another one, {s} a station, {a} {b} {c} numbers
_EVENTS = (
    "{p} replaced the seal of pump {a}, which had lost {b} litres an hour.",
    "The level in the tank fell to {b} centimetres, so {p} opened valve {a} by hand.",
    "A bearing ran hot at {b} degrees; {p} stopped the motor and called {q}.",
    "{p} calibrated sensor {a}: it had shown {c} bar too much for about {b} days.",
    "Nothing unusual, apart from a fox that {p} saw on camera {a} at about {b} past five.",
    "{p} and {q} cleaned filter {a} and took out {b} kilograms of sand.",
    "The power failed for {b} minutes. Generator {a} started late, and {p} wrote to the supplier.",
    "{p} found the gate open. {q} says that a delivery of {b} bags of salt came at noon.",
    "Visitors from {s}: {q} showed them line {a}, and {p} answered {b} questions.",
    "After {b} weeks the new controller {a} runs without faults, as {p} reports.",
    "{p} measured chlorine at {c} milligrams and lowered the dose in basin {a}.",
    "The road was flooded; {p} reached the station {b} minutes late and checked pump {a} first.",
    "Spare part {a} is missing again. {p} ordered {b} of them, {q} will fetch them from {s}.",
    "{p} repaired the fence behind hall {a}; {b} metres of it had been torn down by the storm.",
)
_AFTER = (
    "Pressure afterwards: {c} bar.",
    "To be looked at again in {b} days.",
    "{q} has been told.",
    "The report has number {a}{b}.",
    "Costs: {b}{a} without tax.",
    "No further action.",
    "{p} suggests doing the same at {s}.",
)


class _Sequence:
    """Knuth's linear congruential generator (MMIX), upper bits."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, count: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % count

    def pick(self, values: Sequence[str]) -> str:
        return values[self.below(len(values))]


def notes(seed: int) -> Iterator[str]:
    """Endless dated notes of about 35 tokens each; the same for the same seed."""
    sequence = _Sequence(seed)
    while True:
        parts = {
            "p": sequence.pick(_PEOPLE),
            "q": sequence.pick(_PEOPLE),
            "s": sequence.pick(_STATIONS),
            "a": str(1 + sequence.below(9)),
            "b": str(11 + sequence.below(80)),
            "c": f"{1 + sequence.below(5)}.{sequence.below(10)}",
        }
        date = f"{1 + sequence.below(28)} {sequence.pick(_MONTHS)}"
        event = sequence.pick(_EVENTS).format(**parts)
        after = sequence.pick(_AFTER).format(**parts)
        yield f"{date}, {sequence.pick(_STATIONS)}. {event} {after}"


def notes_of(characters: int, seed: int = 0) -> str:
    """Whole notes, one a line, of at most so many characters in all."""
    lines: list[str] = []
    size = 0
    for note in notes(seed):
        size += len(note) + 1
        if size > characters:
            return "\n".join(lines)
        lines.append(note)
    raise AssertionError("notes never end")
