"""Profiles of rigs that are not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_spaces.builtin import profile_names
from search_spaces.errors import SpaceError
from search_spaces.load import load_profile


def said(tmp_path: Path, text: str) -> str:
    """The sentence about a profile that cannot be used."""
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(SpaceError) as caught:
        load_profile(str(path))
    return str(caught.value).removeprefix(f"{tmp_path}/")


def test_there_is_one_for_each_of_the_four_rigs() -> None:
    assert profile_names() == ["laptop8gb", "rtx4080", "rtx4090_3090", "rtx5090"]
    cards = {name: len(load_profile(name).cards) for name in profile_names()}
    assert cards == {"laptop8gb": 1, "rtx4080": 1, "rtx4090_3090": 2, "rtx5090": 1}


def test_a_persons_own_file_goes_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nmemory_mib: 16384\ncards: [{name: RTX 3060, memory_mib: 12288}]\n")
    assert load_profile(str(path)).cards[0].memory_mib == 12_288


def test_a_card_without_a_memory_size(tmp_path: Path) -> None:
    text = "name: mine\nmemory_mib: 16384\ncards:\n  - name: RTX 3060\n"
    assert said(tmp_path, text) == (
        "mine.yaml:4: cards.0: RTX 3060 has no memory size: without memory_mib nothing can be "
        "said of what fits (nvidia-smi prints it)."
    )


def test_a_host_without_a_memory_size(tmp_path: Path) -> None:
    assert said(tmp_path, "name: mine\n") == (
        "mine.yaml:1: the host has no memory size: add memory_mib, the MiB of its RAM "
        "(free -m prints it)."
    )


def test_a_misspelt_key(tmp_path: Path) -> None:
    text = "name: mine\nmemory_mib: 16384\ncard: []\n"
    assert said(tmp_path, text) == "mine.yaml:3: card: unknown key 'card'. Did you mean 'cards'?"


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(SpaceError, match=r"no builtin profile .* Did you mean 'rtx5090'"):
        load_profile("rtx5080")
