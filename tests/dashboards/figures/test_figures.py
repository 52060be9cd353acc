"""The figures: what is drawn, in which colour, with which words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dashboards.figures.axes import axes_figure, labels_of, panels
from dashboards.figures.front import axes_of, front_figure
from dashboards.figures.hover import hover
from dashboards.figures.kv_heat import fineness, kv_heat_figure
from dashboards.figures.theme import PALETTE, colours
from dashboards.frames import frame
from orchestrator.analysis.summary import summarise
from search_spaces.metrics import Direction
from tests.dashboards.pages import losing, paying
from tests.orchestrator.analysis.synthetic import space, sweep

GROUP = paying().groups[0]
DATA = frame(GROUP)
FRONT: Any = front_figure(DATA, GROUP.front.objectives)
TRACES = {trace.name: trace for trace in FRONT.data}
DRAWN = [trial for trace in FRONT.data for trial in (trace.customdata or ())]


def rows(level: str) -> set[int]:
    return set(DATA[DATA["level"] == level]["trial_id"])


def test_every_contender_is_drawn_once_and_nothing_else() -> None:
    assert sorted(DRAWN) == sorted(DATA[DATA["level"] != ""]["trial_id"])


def test_quality_goes_across_and_speed_up() -> None:
    assert axes_of(GROUP.front.objectives) == ("ppl", "tok_s")
    assert "perplexity" in FRONT.layout.xaxis.title.text
    assert "tok/s" in FRONT.layout.yaxis.title.text


def test_the_front_has_error_bars_both_ways_and_the_beaten_have_none() -> None:
    assert any(bar for bar in TRACES["front"].error_y.array)
    assert any(bar for bar in TRACES["tied"].error_y.array)
    assert TRACES["beaten"].error_y.array is None


def test_an_interval_of_no_length_is_not_drawn() -> None:
    assert 0 not in TRACES["front"].error_x.array


def test_ties_are_rings_and_the_front_discs() -> None:
    assert set(TRACES["tied"].marker.symbol) == {"circle-open"}
    assert set(TRACES["front"].marker.symbol) == {"circle"}


def test_baselines_are_stars() -> None:
    stars = TRACES["baseline"]
    assert set(stars.customdata) == set(DATA[DATA["baseline"]]["trial_id"])
    assert all(symbol.startswith("star") for symbol in stars.marker.symbol)


def test_the_line_of_the_front_only_rises() -> None:
    line = TRACES["line"]
    assert list(line.x) == sorted(line.x)
    assert list(line.y) == sorted(line.y)


def test_a_single_objective_stands_in_order() -> None:
    goals = {"tok_s": Direction.MAXIMIZE}
    wide = space().model_copy(update={"objectives": goals})
    group = summarise(sweep(), wide).groups[0]
    figure: Any = front_figure(frame(group), goals)
    assert figure.layout.xaxis.title.text == "candidates, best first"


def test_a_tooltip_is_in_words() -> None:
    row = DATA[DATA["level"] == "tied"].iloc[0].to_dict()
    text = hover(row, ("tok_s", "ppl"))
    assert "draft-dflash" in text and " tok/s (" in text
    assert "tied with the front: no difference shown" in text


def test_a_tooltip_cannot_be_made_of_markup() -> None:
    row = {**DATA.iloc[0].to_dict(), "name": "<b onclick=x>"}
    assert "&lt;b onclick=x&gt;" in hover(row, ())


def test_there_is_a_panel_for_each_model_and_a_line_for_each_pair() -> None:
    made = panels(GROUP)
    assert [panel.model for panel in made] == ["Q4_1", "Q8_0", "Q2_K"]
    assert list(made[0].lines) == ["K/V f16/f16", "K/V q8_0/q8_0", "K/V q8_0/q5_1", "K/V q4_0/q4_0"]


def test_a_line_starts_with_no_speculation() -> None:
    made = panels(GROUP)
    figure: Any = axes_figure(DATA, made[0], "tok_s", labels_of(made), (0, 400))
    assert list(figure.data[0].x) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert figure.layout.xaxis.ticktext[0] == "none"


def test_acceptance_starts_with_the_first_draft() -> None:
    made = panels(GROUP)
    figure: Any = axes_figure(DATA, made[0], "acceptance", labels_of(made), (0, 1))
    assert list(figure.data[0].x) == [1, 2, 3, 4, 5, 6, 7]


def test_without_draft_lengths_there_are_no_panels() -> None:
    plain = [r for r in sweep() if not r.candidate.drafts]
    assert panels(summarise(plain, space()).groups[0]) == ()


def test_the_heat_map_has_models_down_and_pairs_across() -> None:
    heat: Any = kv_heat_figure(DATA)
    assert list(heat.data[0].y) == ["Q4_1", "Q8_0", "Q2_K"]
    assert list(heat.data[0].x) == ["f16/f16", "q8_0/q8_0", "q8_0/q5_1", "q4_0/q4_0"]


def test_cells_say_baseline_and_no_difference() -> None:
    heat: Any = kv_heat_figure(DATA)
    first = heat.data[0].text[0]
    assert first[0] == "baseline"
    assert first[1].endswith("no difference shown")
    assert first[3].startswith("+4.")


def test_a_tie_has_no_colour() -> None:
    heat: Any = kv_heat_figure(DATA)
    assert heat.data[0].z[0][1] == 0
    assert heat.data[0].z[0][3] > 0


def test_a_full_grid_of_pairs_has_k_down_and_v_across() -> None:
    kinds = ("f16", "q8_0", "q4_0")
    plain = [r for r in sweep() if not r.candidate.drafts and r.candidate.model.endswith("Q4_1")]
    records = [
        replace(
            plain[0 if k == v == "f16" else 1],
            trial_id=i,
            candidate=replace(plain[0].candidate, kv_k=k, kv_v=v),
        )
        for i, (k, v) in enumerate((k, v) for k in kinds for v in kinds)
    ]
    heat: Any = kv_heat_figure(frame(summarise(records, space()).groups[0]))
    assert list(heat.data[0].y) == ["K f16", "K q8_0", "K q4_0"]
    assert list(heat.data[0].x) == ["V f16", "V q8_0", "V q4_0"]


def test_a_single_pair_has_no_heat_map() -> None:
    data = frame(losing().groups[0])
    assert kv_heat_figure(data[data["kv"] == "f16/f16"]) is None


def test_types_are_ordered_from_fine_to_coarse() -> None:
    kinds = ["odd", "q4_0", "f16", "turbo2", "q8_0"]
    assert sorted(kinds, key=fineness)[:3] == ["f16", "q8_0", "q4_0"]


def test_colours_are_steady_and_distinct() -> None:
    assert list(colours(["a", "b", "a"]).values()) == list(PALETTE[:2])


@pytest.mark.parametrize("colour", PALETTE)
def test_no_colour_vanishes_on_white_or_on_black(colour: str) -> None:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)
    ]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert (1.05 / (light + 0.05)) > 2
    assert ((light + 0.05) / 0.05) > 3
