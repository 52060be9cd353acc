"""From rigs as a person names them to rigs of a host that was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from search_spaces.errors import SpaceError
from search_spaces.names import did_you_mean
from search_spaces.rigs import IN_USE, RigRef
from workers.contract.reports import Card, HostReport, RigKind, RigReport


def rigs_of(
    host: HostReport, named: Mapping[str, RigRef], exclude: Sequence[str]
) -> tuple[RigReport, ...]:
    """The rigs that are named, or one for each card where none is; without what is excluded.

    Raises SpaceError for a card that is not there, or that a name does not tell from others.
    """
    cards = [card for rig in host.rigs for card in rig.cards]
    out = {card.uuid for text in exclude for card in _excluded(host, cards, text)}
    if named:
        return tuple(_rig(host, cards, out, name, ref) for name, ref in named.items())
    left = tuple(rig for rig in host.rigs if not any(card.uuid in out for card in rig.cards))
    if not left:
        raise SpaceError("every card here is excluded.", hint="See them with: orchestrate rigs.")
    return left


def _excluded(host: HostReport, cards: Sequence[Card], text: str) -> list[Card]:
    if text.strip().lower() == IN_USE:
        return [card for card in cards if card.uuid in host.cards_in_use]
    return _matching(host, cards, text)


def _rig(
    host: HostReport, cards: Sequence[Card], out: set[str], name: str, ref: RigRef
) -> RigReport:
    any_rig = host.rigs[0]
    if ref.cpu:
        return replace(any_rig, name=name, kind=RigKind.CPU, cards=(), driver="")
    chosen: list[Card] = []
    for text in ref.cards:
        found = _matching(host, cards, text)
        if not found:
            known = ", ".join(f"{card.index}: {card.name}" for card in cards) or "none"
            raise SpaceError(
                f"rig {name}: there is no card {text!r} on {host.host}.",
                hint=did_you_mean(text, [card.name for card in cards]) or f"Cards here: {known}.",
            )
        if all(card.uuid in out for card in found):
            raise SpaceError(f"rig {name}: the card {text!r} is excluded.")
        free = [card for card in found if card not in chosen and card.uuid not in out]
        if not free:
            raise SpaceError(f"rig {name}: the card {text!r} stands twice.")
        if len(free) != 1 and len(free) + _taken(chosen, found) != ref.cards.count(text):
            numbers = ", ".join(str(card.index) for card in found)
            raise SpaceError(
                f"rig {name}: {text!r} does not name one card (it fits {numbers}).",
                hint="Name it by its number or UUID: orchestrate rigs --json.",
            )
        chosen.append(free[0])
    return replace(
        next(rig for rig in host.rigs if rig.cards),
        name=name,
        cards=tuple(chosen),
        split_mode=ref.split_mode,
        tensor_split=ref.tensor_split,
    )


def _taken(chosen: Sequence[Card], found: Sequence[Card]) -> int:
    return sum(card in found for card in chosen)


def _matching(host: HostReport, cards: Sequence[Card], text: str) -> list[Card]:
    """By number, UUID or its beginning, or a part of the model's name; HOST/... is of that host."""
    before, slash, after = text.partition("/")
    if slash and before != host.host:
        return []
    wanted = (after if slash else text).strip()
    if wanted.isdigit():
        return [card for card in cards if card.index == int(wanted)]
    if not wanted:
        return list(cards)
    if wanted.upper().startswith(("GPU-", "MIG-")):
        return [card for card in cards if card.uuid.upper().startswith(wanted.upper())]
    words = _plain(wanted)
    return [card for card in cards if words in _plain(card.name)]


def _plain(name: str) -> str:
    return "".join(name.casefold().split())
