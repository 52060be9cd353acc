"""The course of telemetry: a panel for each reading that was told."""

from __future__ import annotations

from dashboards.figures.telemetry import telemetry_figure
from workers.contract.outcome import Series

GPU = Series(("at_s", "mem_used_mib", "power_w"), ((0.0, 900.0, None), (0.1, 950.5, 310.2)))
CPU = Series(("at_s", "mem_used_mib"), ((0.0, 200.0), (0.1, 210.0)))


def test_each_reading_that_was_told_has_a_panel_and_each_launch_a_line() -> None:
    figure = telemetry_figure([GPU, GPU])
    assert figure is not None
    titles = [axis.title.text for axis in figure.select_yaxes()]
    assert titles == ["power (W)", "memory in use (MiB)"]
    assert [line.name for line in figure.data] == ["launch 1", "launch 2"] * 2


def test_a_launch_is_named_once_in_the_legend() -> None:
    figure = telemetry_figure([GPU])
    assert figure is not None
    assert [line.showlegend for line in figure.data] == [True, False]


def test_a_rig_that_tells_less_has_fewer_panels() -> None:
    figure = telemetry_figure([CPU])
    assert figure is not None
    assert list(figure.data[0].y) == [200.0, 210.0]


def test_nothing_told_is_no_figure() -> None:
    assert telemetry_figure([]) is None
    assert telemetry_figure([Series(("at_s",), ())]) is None
