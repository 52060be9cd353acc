"""What llama-server's /slots tells of requests that are still being answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot at one moment. `tokens` are all it holds (prompt and answer), `ctx` its room."""

    id: int
    task: int | None
    ctx: int
    tokens: int
    decoded: int
    busy: bool
    speculative: bool | None


Look = tuple[float, tuple[Slot, ...]]  # when (s, monotonic), and every slot then


def read_slots(body: Any) -> tuple[Slot, ...]:
    """From the body of /slots; what has another shape is left out."""
    if not isinstance(body, list):
        return ()
    return tuple(_slot(one) for one in body if isinstance(one, dict))


def _slot(body: dict[str, Any]) -> Slot:
    told = body.get("next_token")
    step = told[0] if isinstance(told, list) and told else told
    speculative = body.get("speculative")
    return Slot(
        id=_count(body.get("id")),
        task=body.get("id_task") if isinstance(body.get("id_task"), int) else None,
        ctx=_count(body.get("n_ctx")),
        tokens=_count(body.get("n_prompt_tokens")),
        decoded=_count(step.get("n_decoded")) if isinstance(step, dict) else 0,
        busy=bool(body.get("is_processing")),
        speculative=speculative if isinstance(speculative, bool) else None,
    )


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) else 0


def seconds_per_token(looks: Sequence[Look]) -> tuple[float, int] | None:
    """Seconds per generated token of one request, and how many tokens that is drawn from.

    llama-server counts a request's tokens when it ends; its slots tell them as they come. None
    where no slot made a token between two looks.
    """
    seconds, made = 0.0, 0
    for (began, before), (ended, after) in pairwise(looks):
        earlier = {(slot.id, slot.task): slot for slot in before}
        for slot in after:
            was = earlier.get((slot.id, slot.task))
            # Its first token marks the end of the prompt; before it, time went to the prompt.
            if was is not None and was.decoded > 0 and slot.decoded > was.decoded:
                seconds += ended - began
                made += slot.decoded - was.decoded
    return (seconds / made, made) if made else None
