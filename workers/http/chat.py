"""One answer of a chat, as a server reports it: the text, and why it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn. `seed` makes an answer repeatable on one build and kind of backend."""

    temperature: float
    top_p: float
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`cut` is True where the answer ended because no more tokens were allowed."""

    text: str
    tokens: int
    cut: bool

    @classmethod
    def from_json(cls, body: Any) -> Answer:
        """From the body of /v1/chat/completions. Raises ValueError for one without an answer."""
        choices = body.get("choices") if isinstance(body, Mapping) else None
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
            raise ValueError("the answer to a chat has no message")
        usage = body.get("usage")
        tokens = usage.get("completion_tokens") if isinstance(usage, Mapping) else None
        return cls(
            text=str(message.get("content") or ""),
            tokens=tokens if isinstance(tokens, int) else 0,
            cut=choice.get("finish_reason") == "length",
        )
