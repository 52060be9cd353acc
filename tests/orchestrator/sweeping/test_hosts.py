"""Rigs of several hosts in one sweep: named across them, planned with what each of them holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.sweeping.fleet import chosen, with_rigs
from orchestrator.sweeping.plan import make_fleet_plan
from search_spaces.errors import SpaceError
from search_spaces.load import load_rigs
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from workers.contract.reports import HostReport, RigKind

SPACE = make_space()


def host(name: str, *cards: str, **how: object) -> HostReport:
    """A host with such cards, or with its CPU alone."""
    rigs = [make_rig(f"{name}.{n}", card=card, host=name) for n, card in enumerate(cards)]
    rigs = [replace(rig, cards=(replace(rig.cards[0], index=n),)) for n, rig in enumerate(rigs)]
    rigs = rigs or [make_rig(f"{name}.cpu", RigKind.CPU, host=name)]
    return replace(make_host(SPACE, rigs, **how), host=name)  # type: ignore[arg-type]


LABS = (host("lab1", "NVIDIA RTX 5090"), host("lab2", "NVIDIA RTX 4090", "NVIDIA RTX 3090"))


def rigs(text: str, tmp_path: Path, hosts: tuple[HostReport, ...] = LABS) -> dict[str, str]:
    """The hosts of the rigs that a file names."""
    path = tmp_path / "rigs.yaml"
    path.write_text(text)
    given = load_rigs(path)
    made = with_rigs(hosts, given.rigs, given.exclude_cards)
    return {rig.name: rig.host for host in made for rig in host.rigs}


def test_a_card_is_found_on_the_host_that_has_it(tmp_path: Path) -> None:
    text = "rigs: {fast: RTX 5090, pair: [RTX 4090, RTX 3090]}"
    assert rigs(text, tmp_path) == {"fast": "lab1", "pair": "lab2"}


def test_a_rig_may_say_its_host(tmp_path: Path) -> None:
    text = "rigs: {a: lab2/0, b: lab1/cpu}"
    assert rigs(text, tmp_path) == {"b": "lab1", "a": "lab2"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rigs: {a: 0}", "rig a: lab1 and lab2 could be meant. Name the host: lab1/0."),
        ("rigs: {a: cpu}", "rig a: lab1 and lab2 could be meant. Name the host: lab1/cpu."),
        ("rigs: {a: lab3/0}", "rig a: there is no host 'lab3' in this fleet. Did you mean 'lab"),
        ("rigs: {a: [lab1/0, lab2/0]}", "rig a: its cards are on several hosts."),
        ("rigs: {a: RTX 1080}", "rig a: no host has RTX 1080."),
    ],
)
def test_what_cannot_be_meant_is_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SpaceError) as caught:
        rigs(text, tmp_path)
    assert str(caught.value).startswith(said)


def test_a_host_whose_cards_are_all_excluded_leaves_the_others(tmp_path: Path) -> None:
    assert rigs("exclude_cards: [RTX 5090]", tmp_path) == {"lab2.0": "lab2", "lab2.1": "lab2"}
    with pytest.raises(SpaceError, match="every card here is excluded"):
        rigs("exclude_cards: [RTX]", tmp_path)


def test_rigs_are_chosen_by_name() -> None:
    made = chosen(LABS, ["lab2.1"])
    assert [[rig.name for rig in host.rigs] for host in made] == [[], ["lab2.1"]]
    with pytest.raises(SpaceError, match=r"there is no rig 'lab2.7' here"):
        chosen(LABS, ["lab2.7"])


def test_a_host_without_the_model_is_told_and_the_others_go_on() -> None:
    plan = make_fleet_plan(SPACE, [host("lab1", "RTX 5090"), host("lab2", missing=["small"])])
    assert [len(rig.feasible) for rig in plan.rigs] == [6, 0]
    assert plan.warnings == ("Nothing can run on rig lab2.cpu: no file small.",)


def test_what_differs_between_hosts_is_told() -> None:
    other = host("lab2", engine_sha="b" * 64, same_file={"small": "else"})
    assert make_fleet_plan(SPACE, [host("lab1"), other]).warnings == (
        "The model small is not the same file on lab1 and lab2: each is measured for itself.",
        "The engine embedded is not the same build on lab1 and lab2: each is measured for itself.",
    )


def test_each_rig_is_planned_with_its_own_hosts_files() -> None:
    one, two = host("lab1"), host("lab2", same_file={"small": "else"})
    plan = make_fleet_plan(SPACE, [one, two])
    assert [rig.host for rig in plan.rigs] == [one, two]
