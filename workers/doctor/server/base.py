"""What a rule about a live server looks at, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.server.command import Command
from workers.doctor.server.slots import Look, Slot, seconds_per_token
from workers.doctor.server.vocabulary import Reading, ServerKind
from workers.doctor.server.window import NotToldError, Window


@dataclass(frozen=True, slots=True)
class Server:
    """Who answers. `model` is a path or a name, `ctx` tokens of one slot; None: not told."""

    url: str
    kind: ServerKind
    build: str = ""
    model: str = ""
    ctx: int | None = None
    slots: int | None = None


@dataclass(frozen=True)
class Scene:
    """Everything a rule may look at. `command` is the server's own, where it runs here.

    `restarted`: a counter went back while it was watched; `window` then is what came after.
    """

    server: Server
    window: Window
    looks: tuple[Look, ...] = ()
    command: Command | None = None
    restarted: bool = False

    @property
    def all_slots(self) -> tuple[Slot, ...]:
        """Every slot at every look."""
        return tuple(slot for _, slots in self.looks for slot in slots)

    def per_token_s(self) -> tuple[float, int]:
        """Seconds per generated token of a request, and from how many tokens.

        From counters where a request ended meanwhile, else from slots. Raises NotToldError.
        """
        if self.window.tells(Reading.STEPS):
            steps = self.window.delta(Reading.STEPS)
            if steps > 0:
                return self.window.delta(Reading.STEP_S) / steps, int(steps)
        found = seconds_per_token(self.looks)
        if found is None:
            raise NotToldError("no token was generated meanwhile")
        return found


class Rule(Protocol):
    """`catches` says in one sentence what the rule is about, for the docs."""

    name: str
    catches: str

    def check(self, scene: Scene) -> Finding | None:
        """The finding, or None. Raises NotToldError where the server does not tell enough."""
        ...


def warning(rule: Rule, sure: Confidence, evidence: str, recommendation: str) -> Finding:
    """A fault that costs speed or answers."""
    return Finding(rule.name, Severity.WARNING, sure, evidence, recommendation)
