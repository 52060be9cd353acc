"""Front: any metrics on the axes, filters, and the table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from dashboards.library import Library
from tests.dashboards.showing import Shown, shown
from tests.orchestrator.cli import scenes
from tests.orchestrator.sweeping.spaces import make_space


def traces(page: Shown) -> dict[str, dict[str, Any]]:
    """The front's traces by name."""
    return {trace.get("name", ""): trace for trace in page.figure("front")["data"]}


def test_speed_goes_up_and_quality_across(library: Library) -> None:
    layout = shown(library, "/front").figure("front")["layout"]
    assert layout["xaxis"]["title"]["text"].startswith("perplexity")
    assert layout["yaxis"]["title"]["text"].startswith("generation")


def test_every_measured_candidate_is_drawn(library: Library) -> None:
    figure = shown(library, "/front").figure("front")
    drawn = [trial for trace in figure["data"] for trial in trace.get("customdata", ())]
    assert len(drawn) == len(set(drawn)) == 24


def test_other_metrics_make_another_front(library: Library) -> None:
    page = shown(library, "/front?x=mem_peak_mib&y=prompt_tok_s")
    layout = page.figure("front")["layout"]
    assert layout["xaxis"]["title"]["text"].startswith("memory at its peak")
    assert (
        traces(page)["front"]["customdata"]
        != traces(shown(library, "/front"))["front"]["customdata"]
    )


def test_an_axis_can_be_logarithmic(library: Library) -> None:
    layout = shown(library, "/front?log=y").figure("front")["layout"]
    assert (layout["xaxis"]["type"], layout["yaxis"]["type"]) == ("linear", "log")


def test_a_filter_leaves_the_others_out_and_places_the_rest_anew(library: Library) -> None:
    page = shown(library, "/front?model=builtin:smollm2-135m-Q4_1")
    figure = page.figure("front")
    drawn = {trial for trace in figure["data"] for trial in trace.get("customdata", ())}
    assert 0 < len(drawn) < 24
    assert "Q8_0 ·" not in page.text


def test_three_metrics_make_a_cube(library: Library) -> None:
    figure = shown(library, "/front?z=mem_peak_mib").figure("front")
    assert {trace["type"] for trace in figure["data"]} == {"scatter3d"}
    assert figure["layout"]["scene"]["yaxis"]["title"]["text"].startswith("memory")


def test_colours_and_symbols_tell_a_setting_apart(library: Library) -> None:
    beaten = traces(shown(library, "/front?tint=n_max&mark=model"))["beaten"]
    assert len(set(beaten["marker"]["color"])) > 2
    assert len(set(beaten["marker"]["symbol"])) > 1


def test_members_stand_in_the_table_with_links_to_their_pages(library: Library) -> None:
    page = shown(library, "/front")
    links = [one["href"] for one in page.all("Link")]
    assert all(href.startswith("/candidate?") for href in links)
    assert len(links) >= len(traces(page)["front"]["customdata"])


def test_failed_ones_are_counted_and_drawn_on_request_only(failing: Library) -> None:
    page = shown(failing, "/front")
    assert "off the graph: 1 failed" in page.text
    assert "not in it" not in traces(page)


def test_an_unknown_setting_in_the_address_means_the_usual(library: Library) -> None:
    page = shown(library, "/front?x=nonsense&tint=nonsense&mark=nonsense&rig=nowhere")
    assert "There is no front here yet" in page.text


def test_a_class_of_prompts_has_speeds_of_its_own(library: Library) -> None:
    classes = next(
        [o["value"] for o in d["options"]]
        for d in shown(library, "/front").all("Dropdown")
        if d["id"]["name"] == "prompts"
    )
    whole = traces(shown(library, "/front"))["baseline"]["y"]
    one = traces(shown(library, f"/front?prompts={classes[0]}"))["baseline"]["y"]
    assert whole != one


def test_what_a_second_look_at_the_baseline_showed_is_said(tmp_path: Path) -> None:
    scene = scenes.sweep(tmp_path / "watched.db", make_space(drift="{every: 3}"))
    with closing(Library.open(str(scene.storage), is_alive=lambda _driver: True)) as watched:
        assert "The baseline was measured again" in shown(watched, "/front").text
