"""Speed against depth: who is drawn, where, with which bars."""

from __future__ import annotations

from typing import Any

from dashboards.figures.depths import MOST_LINES, depth_figure
from dashboards.static_page import render
from orchestrator.analysis.summary import summarise
from tests.dashboards.pages import losing
from tests.orchestrator.analysis.synthetic import space, sweep
from tests.orchestrator.analysis.test_depth import filled

SUMMARY = summarise([filled(r, 200) if r.estimates else r for r in sweep()], space())
GROUP = SUMMARY.groups[0]
FIGURE: Any = depth_figure(GROUP)


def test_members_and_baselines_are_drawn_the_fastest_at_depth_first() -> None:
    drawn = [trace.name for trace in FIGURE.data]
    able = [*GROUP.front.members, *GROUP.baselines]

    assert 1 < len(drawn) <= MOST_LINES
    assert set(drawn) <= {GROUP.namer.name(r.candidate) for r in able}
    deepest = [trace.y[-1] for trace in FIGURE.data]
    assert deepest == sorted(deepest, reverse=True)


def test_a_line_goes_from_shallow_to_deep_with_bars() -> None:
    line = FIGURE.data[0]

    assert list(line.x) == [100, 900]
    assert line.y[0] > line.y[1]
    assert all(bar > 0 for bar in (*line.error_y.array, *line.error_y.arrayminus))
    assert "900 tokens" in line.text[1] and "tok/s" in line.text[1]


def test_the_page_has_it_where_depth_was_measured() -> None:
    assert "Speed against depth" in render(SUMMARY)
    assert "Speed against depth" not in render(losing())
    assert depth_figure(losing().groups[0]) is None
