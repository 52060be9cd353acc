"""Overview: sweeps, progress, what is left."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from dashboards.library import Library
from dashboards.views.overview import remaining_s, spoken
from db.database import open_database
from db.rows import TrialCounts
from tests.dashboards.showing import shown


def test_a_finished_sweep_says_how_much_was_measured(library: Library) -> None:
    page = shown(library, "/")
    assert "finished" in page.text
    assert "cpu 24 measured" in page.text


def test_failures_lead_to_their_page(failing: Library) -> None:
    page = shown(failing, "/")
    assert "1 failed" in page.text
    assert any(one["href"].startswith("/failures?sweep=") for one in page.all("Link"))


def test_a_database_without_a_sweep_says_so(tmp_path: Path) -> None:
    path = str(tmp_path / "empty.db")
    open_database(path).close()
    opened = Library.open(path, is_alive=lambda _driver: True)
    for url in ("/", "/front", "/failures"):
        assert "No sweep was started yet" in shown(opened, url).text
    opened.close()


def test_what_is_left_follows_from_the_pace(library: Library) -> None:
    (row,) = library.sweeps()
    budget = row.space.budget.trials
    now = row.started + timedelta(seconds=100)
    assert remaining_s(row, {"cpu": TrialCounts(complete=10)}, now) == 10 * (budget - 10)
    assert remaining_s(row, {"cpu": TrialCounts(waiting=1)}, now) is None


def test_a_sweep_that_paused_has_no_known_pace(library: Library) -> None:
    (row,) = library.sweeps()
    resumed = replace(row, runs=2)
    assert remaining_s(resumed, {"cpu": TrialCounts(complete=1)}, row.started) is None


def test_durations_are_spoken() -> None:
    assert [spoken(s) for s in (40, 700, 12_000)] == ["40 s", "12 min", "3 h 20 min"]
