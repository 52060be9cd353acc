"""A sweep that is too large to compare every candidate sample by sample."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.many_trials import make
from dashboards import snapshot
from dashboards.library import Library
from tests.dashboards.showing import shown

TRIALS = 600


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("large") / "large.db"
    make(path, TRIALS)
    opened = Library.open(str(path), is_alive=lambda _driver: True)
    yield opened
    opened.close()


def test_every_candidate_is_in_the_frame(large: Library) -> None:
    (shot,) = large.chosen(())
    assert shot.beyond is not None
    assert len(shot.data) == TRIALS > snapshot.LARGE
    assert len(shot.records) < TRIALS


def test_the_front_says_how_much_was_looked_at_closely(large: Library) -> None:
    page = shown(large, "/front")
    assert f"Of {TRIALS} candidates" in page.text
    assert page.figure("front")["data"]


def test_a_filter_places_what_passes_anew(large: Library) -> None:
    page = shown(large, "/front?model=builtin:smollm2-135m-Q2_K")
    ids = {i for trace in page.figure("front")["data"] for i in trace.get("customdata", ())}
    (shot,) = large.chosen(())
    assert ids
    assert {shot.by_id[i].candidate.model for i in ids} == {"builtin:smollm2-135m-Q2_K"}


@pytest.mark.parametrize("view", ["axes", "failures", "compare", "overview"])
def test_every_other_view_opens(large: Library, view: str) -> None:
    assert shown(large, f"/{view}").text


def test_a_candidate_far_from_the_front_has_its_page(large: Library) -> None:
    (shot,) = large.chosen(())
    assert shot.beyond is not None
    far = shot.beyond.far[0]
    assert f"trial {far.trial_id}" in shown(large, f"/candidate?trial={far.trial_id}").text
