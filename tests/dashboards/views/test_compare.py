"""Compare: sides, pairs, verdicts."""

from __future__ import annotations

import pytest

from dashboards.library import Library
from tests.dashboards.showing import shown


def test_the_second_side_is_said_against_the_first(both: Library) -> None:
    page = shown(both, "/compare")
    assert "Generation of" in page.text
    assert "of 6 equal candidates" in page.text
    assert "better in 6" in page.text
    assert page.figure("pairs")["data"][0]["y"] == pytest.approx([1.2] * 6, abs=0.05)


def test_sides_can_be_exchanged_in_the_address(both: Library) -> None:
    options = next(d for d in shown(both, "/compare").all("Dropdown") if d["id"]["name"] == "a")
    first, second = (option["value"] for option in options["options"])
    there = shown(both, f"/compare?a={first}&b={second}").figure("pairs")["data"][0]["y"]
    back = shown(both, f"/compare?a={second}&b={first}").figure("pairs")["data"][0]["y"]
    assert max(there) == pytest.approx(1 / min(back))


def test_one_side_alone_says_what_to_do(library: Library) -> None:
    assert "There is one side only" in shown(library, "/compare").text


def test_a_metric_that_no_pair_has_is_said(both: Library) -> None:
    assert "no candidate in common" in shown(both, "/compare?metric=kld_mean").text
