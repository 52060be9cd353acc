"""Rigs as people name them, on scripted cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rigs import rigs_of
from search_spaces.errors import SpaceError
from search_spaces.load import load_rigs
from search_spaces.rigs import RigRef
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from workers.contract.reports import Card, HostReport, RigKind, RigReport

NAMES = ("RTX 4090", "RTX 3090", "RTX 3090", "RTX 4080")
CARDS = [
    Card(index, f"NVIDIA GeForce {name}", f"GPU-{index}abc", 24_576)
    for index, name in enumerate(NAMES)
]
ONE_EACH = tuple(replace(make_rig(f"rig{card.index}"), cards=(card,)) for card in CARDS)
HOST = HostReport("tower", ONE_EACH, cards_in_use=("GPU-3abc",))


def named(text: str, tmp_path: Path, host: HostReport = HOST) -> dict[str, RigReport]:
    """The rigs of a file, by name."""
    path = tmp_path / "rigs.yaml"
    path.write_text(text)
    given = load_rigs(path)
    return {rig.name: rig for rig in rigs_of(host, given.rigs, given.exclude_cards)}


def indices(rig: RigReport) -> list[int]:
    """The numbers of its cards."""
    return [card.index for card in rig.cards]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("RTX 4090", [0]),
        ("rtx4080", [3]),
        ("GPU-1", [1]),
        ("gpu-2abc", [2]),
        ("2", [2]),
        ("tower/RTX 4080", [3]),
        ("[RTX 4090, 1]", [0, 1]),
        ("[RTX 3090, RTX 3090]", [1, 2]),
        ("{cards: [RTX 4080, RTX 4090]}", [3, 0]),
        ("cpu", []),
    ],
)
def test_a_card_is_named_by_what_is_known_of_it(
    text: str, cards: list[int], tmp_path: Path
) -> None:
    rig = named(f"rigs: {{mine: {text}}}", tmp_path)["mine"]
    assert indices(rig) == cards
    assert rig.kind is (RigKind.CUDA if cards else RigKind.CPU)


def test_a_card_may_be_in_several_rigs(tmp_path: Path) -> None:
    rigs = named("rigs: {one: RTX 4090, two: 1, pair: [RTX 4090, 1]}", tmp_path)
    assert {name: indices(rig) for name, rig in rigs.items()} == {
        "one": [0],
        "two": [1],
        "pair": [0, 1],
    }


def test_without_names_each_card_is_a_rig_but_those_left_out(tmp_path: Path) -> None:
    assert set(named("exclude_cards: [RTX 3090]", tmp_path)) == {"rig0", "rig3"}
    assert set(named("exclude_cards: [in use]", tmp_path)) == {"rig0", "rig1", "rig2"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rigs: {a: RTX 5090}", "rig a: there is no card 'RTX 5090' on tower."),
        ("rigs: {a: GPU-9}", "rig a: there is no card 'GPU-9' on tower."),
        ("rigs: {a: other/RTX 4090}", "rig a: there is no card 'other/RTX 4090' on tower."),
        ("rigs: {a: RTX 3090}", "rig a: 'RTX 3090' does not name one card (it fits 1, 2)."),
        ("rigs: {a: [RTX 4090, 0]}", "rig a: the card '0' stands twice."),
        ("{rigs: {a: 3}, exclude_cards: [in use]}", "rig a: the card '3' is excluded."),
        ("exclude_cards: [tower/]", "every card here is excluded."),
    ],
)
def test_what_names_no_card_is_a_sentence(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SpaceError) as caught:
        named(text, tmp_path)
    assert caught.value.message == says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rigs: {a: {card: 1}}", "unknown key 'card'"),
        ("rigs: {a: [0, 0]}", "a card stands twice in one rig"),
        ("rigs: {a: []}", "a rig is cards, or the CPU (`cpu`)"),
        ("rigs: {a: {cards: [0, 1], tensor_split: [1]}}", "tensor_split needs one share"),
        ("rigs: {a: {cards: [0, 1], split_mode: rows}}", "'rows' is not 'layer'"),
        ("rigs: [0]", "is not a mapping of keys"),
    ],
)
def test_what_is_no_rig_names_the_line(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SpaceError) as caught:
        named(text, tmp_path)
    assert says in str(caught.value)
    assert "rigs.yaml:1" in str(caught.value)


# -- what a rig's split means --------------------------------------------------------------------


def test_a_pairs_split_is_what_is_launched_unless_the_candidate_says_so(tmp_path: Path) -> None:
    text = "rigs: {p: {cards: [0, 1], split_mode: row, tensor_split: [24, 8]}, s: 0}"
    rigs = named(text, tmp_path)
    space = make_space("kv: [f16/f16]", fixed="model: small")
    host = make_host(space, list(rigs.values()))
    candidate = next(iter(_candidates(space)))
    pair = Resolver(space, rigs["p"], host).resolve(candidate)
    assert (pair.candidate.split_mode, pair.candidate.tensor_split) == ("row", "24,8")
    own = Resolver(space, rigs["p"], host).resolve(replace(candidate, split_mode="layer"))
    assert (own.candidate.split_mode, own.candidate.tensor_split) == ("layer", "24,8")
    assert Resolver(space, rigs["s"], host).resolve(candidate).candidate == candidate


def test_what_rigs_are_called_is_no_part_of_a_space(tmp_path: Path) -> None:
    space = make_space()
    assert space.model_copy(update={"rigs": {"a": RigRef(cpu=True)}}).key == space.key


def _candidates(space):  # type: ignore[no-untyped-def]
    from search_spaces.parameters import candidate_of
    from search_spaces.walk import assignments

    return (candidate_of(assignment) for assignment in assignments(space))
