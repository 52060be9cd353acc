"""Axes: the figures for which there are measurements, and only those."""

from __future__ import annotations

from dashboards.library import Library
from tests.dashboards.showing import shown

NAMES = {"tok_s-0", "acceptance-0", "kv", "influence", "memory", "parallel", "course-trials"}


def names(library: Library, url: str) -> set[str]:
    return {graph["id"]["name"] for graph in shown(library, url).all("Graph")}


def test_every_question_that_was_measured_has_a_figure(library: Library) -> None:
    assert names(library, "/axes") >= NAMES | {"course-time"}


def test_what_was_not_measured_has_none(library: Library) -> None:
    assert not {"kld", "capacity", "depth"} & names(library, "/axes")


def test_a_filter_leaves_others_out(library: Library) -> None:
    page = shown(library, "/axes?model=builtin:smollm2-135m-Q4_1")
    assert page.figure("kv")["data"][0]["y"] == ["smollm2-135m-Q4_1"]


def test_time_of_the_rigs_is_that_of_their_jobs(library: Library) -> None:
    xs = shown(library, "/axes").figure("course-time")["data"][0]["x"]
    jobs = library.database.jobs.list(library.sweeps()[0].id)
    assert max(xs) == sum(job.wall_s or 0.0 for job in jobs) / 60
