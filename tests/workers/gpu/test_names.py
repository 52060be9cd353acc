"""Rig names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.gpu.names import rig_names, short_name


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("NVIDIA GeForce RTX 5090", "rtx5090"),
        ("NVIDIA H200", "h200"),
        ("NVIDIA GeForce RTX 4080 Laptop GPU", "rtx4080-laptop"),
        ("NVIDIA GeForce RTX 4070 Ti SUPER", "rtx4070-ti-super"),
        ("NVIDIA GeForce GTX 1080 Ti", "gtx1080-ti"),
        ("NVIDIA RTX 6000 Ada Generation", "rtx6000-ada-generation"),
        (
            "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
            "rtx-pro-6000-blackwell-workstation-edition",
        ),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"),
        ("NVIDIA H100 80GB HBM3", "h100-80gb-hbm3"),
        ("Tesla T4", "t4"),
        ("NVIDIA", "gpu"),
    ],
)
def test_a_card_is_called_what_people_call_it(card: str, name: str) -> None:
    assert short_name(card) == name


def test_equal_cards_are_numbered_and_others_are_not() -> None:
    cards = ["NVIDIA H200", "NVIDIA GeForce RTX 4090", "NVIDIA H200"]

    assert rig_names(cards) == ["h200-0", "rtx4090", "h200-1"]


@given(st.lists(st.text(max_size=30), max_size=6))
def test_names_can_be_typed(cards: list[str]) -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in rig_names(cards))
