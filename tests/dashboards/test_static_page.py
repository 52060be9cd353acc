"""The page: self-contained, escaped, and saying what the analysis says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dashboards.static_page import render, write_page
from orchestrator.analysis.records import State
from orchestrator.analysis.summary import summarise
from tests.dashboards.pages import Page, figures, losing, paying, renamed
from tests.orchestrator.analysis.synthetic import space, sweep
from workers.contract.errors import OrchestrateError

HTML = render(losing())
OWN = re.sub(r"<script>/\*\*.*?</script>", "", HTML, flags=re.S)  # without plotly.js itself
NASTY = '</script><script>alert(1)</script>"><img src=x onerror=alert(2)>'


def test_the_page_needs_nothing_from_elsewhere() -> None:
    for tag, attributes in Page(HTML).tags:
        assert tag not in ("link", "iframe", "object", "embed")
        assert not attributes.get("src")
        assert (attributes.get("href") or "#").startswith("#")


def test_plotly_is_inside_once() -> None:
    assert HTML.count("plotly.js v") == 1


def test_the_sentences_of_the_analysis_are_on_the_page() -> None:
    page, group = Page(HTML).text, losing().groups[0]
    assert group.headline in page
    assert all(note in page for note in group.notes)


def test_every_member_of_the_front_is_in_the_table() -> None:
    html = render(paying())
    group = paying().groups[0]
    body = html.split("<tbody>")[1]
    assert all(group.namer.name(record.candidate) in body for record in group.front.members)
    assert body.count('title="no difference shown"') == len(group.front.members) - len(
        group.front.leaders
    )


def test_baselines_and_the_best_draft_stand_beside_the_front() -> None:
    assert "For comparison, not on the front" in Page(HTML).text
    assert "best with a draft" in Page(HTML).text


def test_failed_and_ruled_out_candidates_are_counted_not_drawn() -> None:
    assert "not drawn: 3 failed, 2 ruled out" in Page(HTML).text
    front = figures(HTML)["g0-front"]
    drawn = [trial for trace in front["data"] for trial in trace.get("customdata", ())]
    failed = {r.trial_id for r in losing().records if r.state is not State.COMPLETE}
    assert len(drawn) == 91
    assert not failed & set(drawn)


def test_every_figure_has_its_data_and_words_for_who_cannot_see_it() -> None:
    places = [a for tag, a in Page(HTML).tags if a.get("class") == "figure"]
    assert {place["data-figure"] for place in places} == set(figures(HTML))
    assert all(place["aria-label"] for place in places)


def test_names_from_outside_cannot_become_markup() -> None:
    html = render(renamed(NASTY))
    plain = Page(render(renamed("plain")))
    hostile = Page(html)
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert NASTY.rsplit("/", 1)[-1] in hostile.text


def test_figures_survive_hostile_names() -> None:
    assert len(figures(render(renamed(NASTY)))) == len(figures(render(renamed("plain"))))


def test_simulated_numbers_are_announced() -> None:
    records = [replace(record, simulated=True) for record in sweep()]
    assert "Simulated." in Page(render(summarise(records, space()))).text
    assert "Simulated." not in Page(HTML).text


def test_several_rigs_are_sections_with_links() -> None:
    both = summarise([*sweep(), *sweep("rtx5090", first_id=1000)], space())
    page = Page(render(both))
    assert [a["href"] for tag, a in page.tags if tag == "a"] == ["#g0", "#g1"]


def test_a_sweep_in_which_everything_failed_still_has_a_page() -> None:
    records = [replace(r, state=State.FAILED, estimates={}) for r in sweep()]
    page = Page(render(summarise(records, space())))
    assert "No candidate was measured to the end here." in page.text


def test_an_empty_sweep_still_has_a_page() -> None:
    assert "<h1>" in render(summarise([], space()))


def test_a_figure_of_measured_numbers_holds_no_nan() -> None:
    assert "NaN" not in OWN


def test_the_file_appears_whole(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", losing())
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == HTML


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OrchestrateError, match="cannot be written"):
        write_page(tmp_path / "missing" / "page.html", losing())
