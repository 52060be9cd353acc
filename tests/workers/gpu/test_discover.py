"""Which rigs a host has."""

from __future__ import annotations

import pytest

from workers.contract.reports import Card, RigKind
from workers.gpu.discover import discover_cards, discover_rigs, visible
from workers.gpu.nvml import Inventory

CARDS = tuple(
    Card(index, name, f"GPU-{index}aaaa", 32_000)
    for index, name in enumerate(["NVIDIA H200", "NVIDIA H200", "NVIDIA GeForce RTX 4090"])
)


@pytest.fixture(autouse=True)
def _all_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def test_a_host_without_a_card_is_one_cpu_rig() -> None:
    [rig] = discover_rigs(found=Inventory(problem="no NVIDIA driver"))

    assert (rig.name, rig.kind, rig.cards) == ("cpu", RigKind.CPU, ())
    assert rig.cpu_model
    assert rig.os
    assert rig.memory_mib > 0
    assert 1 <= rig.threads <= max(rig.cores, rig.threads)


def test_each_card_is_a_rig_of_its_own() -> None:
    rigs = discover_rigs(found=Inventory(CARDS, "580.95"))

    assert [rig.name for rig in rigs] == ["h200-0", "h200-1", "rtx4090"]
    assert [rig.cards for rig in rigs] == [(card,) for card in CARDS]
    assert {rig.driver for rig in rigs} == {"580.95"}
    assert all(rig.kind is RigKind.CUDA and rig.vram_mib == 32_000 for rig in rigs)


def test_a_host_may_be_given_a_name() -> None:
    assert discover_rigs("attic", Inventory())[0].host == "attic"


@pytest.mark.parametrize(
    ("setting", "left"),
    [
        ("0,2", [0, 2]),
        ("2,0", [2, 0]),
        ("GPU-1aaaa", [1]),
        ("GPU-1", [1]),
        ("0,9,1", [0]),
        ("-1", []),
        ("", []),
        ("1,1", [1]),
    ],
)
def test_a_job_sees_the_cards_it_was_given(setting: str, left: list[int]) -> None:
    seen = visible(CARDS, {"CUDA_VISIBLE_DEVICES": setting})

    assert [card.index for card in seen] == left


def test_without_the_variable_all_are_seen() -> None:
    assert visible(CARDS, {}) == CARDS


def test_cards_hidden_from_a_job_leave_it_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    assert [rig.name for rig in discover_rigs(found=Inventory(CARDS, "580.95"))] == ["cpu"]


def test_looking_for_cards_never_raises() -> None:
    assert isinstance(discover_cards(), tuple)
