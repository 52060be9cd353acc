"""Puts text before a prompt until the context is as full as a recipe wants it."""

from __future__ import annotations

from collections.abc import Callable

from workers.suites.errors import SuiteError
from workers.suites.load import Prompt
from workers.suites.notes import notes_of

_SEED = 1_000_003  # apart from the leads of the suites
_ROUNDS = 12


def room_for(ctx: int, fill: float, predict: int) -> int:
    """Tokens that a prompt may take: `fill` of the context, and never into what is generated."""
    return max(0, min(int(ctx * fill), ctx - predict - 1))


def filled(prompt: Prompt, tokens: int, count: Callable[[str], int], seed: int = 0) -> Prompt:
    """The prompt behind running notes, together at most `tokens` long and nearly as long.

    `count` gives a text's number of tokens (the engine's own); other seeds give other notes.
    Raises SuiteError when the prompt alone is longer.
    """
    alone = count(prompt.text)
    if alone > tokens:
        raise SuiteError(
            f"The prompt {prompt.id} is {alone} tokens long, and {tokens} may be filled.",
            "Raise fill or ctx, or use a suite with shorter prompts.",
        )
    best = prompt.text
    low, high = 0, 2  # characters of notes: known to fit, known not to
    while count(_behind(high, prompt, seed)) <= tokens:
        low, high = high, 2 * max(high, tokens)
    for _ in range(_ROUNDS):
        middle = (low + high) // 2
        text = _behind(middle, prompt, seed)
        if count(text) <= tokens:
            low, best = middle, text
        else:
            high = middle
    return Prompt(prompt.id, prompt.group, best)


def _behind(characters: int, prompt: Prompt, seed: int) -> str:
    lead = notes_of(characters, _SEED + seed)
    return f"{lead}\n\n{prompt.text}" if lead else prompt.text
