"""What a scripted server answers: words and counts that follow from the prompt and the script."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

_VOCABULARY = (
    "amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh nadir oasis "
    "pampa quarry ridge shoal tundra upland vale wharf xeric yonder zenith"
)
_WORDS = tuple(_VOCABULARY.split())


@dataclass(frozen=True)
class Pace:
    """How fast a scripted engine is: microseconds per verification step, the share of a step
    that one drafted token adds, the share of drafted tokens that is accepted, microseconds per
    prompt token. Small, since the server really waits that long."""

    step_us: float = 20.0
    draft_cost: float = 0.05
    acceptance: float = 0.6
    prompt_us: float = 2.0


@dataclass(frozen=True)
class Answer:
    """One completion: `tokens` are indices into a small vocabulary; times in ms."""

    text: str
    tokens: list[int]
    prompt_n: int
    prompt_ms: float
    predicted_ms: float
    draft_n: int
    draft_n_accepted: int
    steps: int


def answer(prompt: str, n_predict: int, n_max: int, pace: Pace) -> Answer:
    """A completion of exactly `n_predict` words, drafted `n_max` tokens at a time (0: not)."""
    tokens = _tokens(prompt, n_predict)
    accepted = math.floor(n_max * pace.acceptance)
    steps = math.ceil(n_predict / (1 + accepted))
    prompt_n = 1 + len(prompt.split())
    return Answer(
        text="".join(f" {_WORDS[token]}" for token in tokens),
        tokens=tokens,
        prompt_n=prompt_n,
        prompt_ms=prompt_n * pace.prompt_us / 1000,
        predicted_ms=steps * pace.step_us * (1 + pace.draft_cost * n_max) / 1000,
        draft_n=steps * n_max,
        draft_n_accepted=max(0, n_predict - steps) if n_max else 0,
        steps=steps,
    )


def _tokens(prompt: str, count: int) -> list[int]:
    """Words that follow from the prompt and do not go in circles."""
    found: list[int] = []
    block = prompt.encode()
    while len(found) < count:
        block = hashlib.sha256(block).digest()
        found += [byte % len(_WORDS) for byte in block]
    return found[:count]
