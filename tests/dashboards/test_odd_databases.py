"""Databases as they also are: half written, with holes, with nothing but failures, hostile."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dashboards.library import Library
from tests.dashboards.showing import Shown, shown

PAGES = ["/", "/front", "/front?z=mem_peak_mib", "/axes", "/failures", "/compare"]
Change = Callable[[sqlite3.Connection], object]
HOSTILE = "<img src=x onerror=alert(1)><b>=cmd|1;`id`</b>"


@contextmanager
def changed(demo: Path, folder: Path, change: Change) -> Iterator[Library]:
    """A copy of a database after a change by hand, opened as the dashboard opens it."""
    path = folder / "odd.db"
    shutil.copy(demo, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        change(connection)
    opened = Library.open(str(path), is_alive=lambda _driver: False)
    try:
        yield opened
    finally:
        opened.close()


def one_trial(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM sweep_trial_facets WHERE trial_id > 1")
    connection.execute("DELETE FROM sweep_trials WHERE id > 1")


def no_trial_has_ended(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE sweep_trials SET state = 'waiting', ended = NULL")
    connection.execute("UPDATE sweeps SET state = 'running', ended = NULL")
    connection.execute("UPDATE jobs SET state = 'running', ended = NULL WHERE rowid % 2")


def no_perplexity(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM measurements WHERE metric = 'ppl' AND id % 2")


def not_a_number(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE measurements SET value = NULL WHERE id % 2")
    connection.execute("DELETE FROM samples WHERE id % 2")


def no_samples(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM samples")


def no_hosts(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM sweep_hosts")


@pytest.mark.parametrize(
    "change", [one_trial, no_trial_has_ended, no_perplexity, not_a_number, no_samples, no_hosts]
)
def test_every_page_still_says_something(demo: Path, tmp_path: Path, change: Change) -> None:
    with changed(demo, tmp_path, change) as library:
        for url in [*PAGES, "/candidate?trial=1"]:
            assert shown(library, url).text


def test_a_sweep_whose_driver_died_is_killed(demo: Path, tmp_path: Path) -> None:
    with changed(demo, tmp_path, no_trial_has_ended) as library:
        assert "killed" in shown(library, "/").text


def test_ten_thousand_failures_are_one_short_page(scripted: Path, tmp_path: Path) -> None:
    def multiply(connection: sqlite3.Connection) -> None:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(sweep_trials)")]
        kept = ", ".join(name for name in columns if name not in ("id", "number"))
        connection.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
            f"INSERT INTO sweep_trials ({kept}, number) SELECT {kept}, 1000 + i "
            f"FROM sweep_trials, n WHERE state = 'failed'"
        )

    with changed(scripted, tmp_path, multiply) as library:
        page = shown(library, "/failures")
        assert "Out of memory: 10,001" in page.text
        assert len(page.all("Link")) < 100
        assert "10,001 failed" in shown(library, "/front").text


def hostile(connection: sqlite3.Connection) -> None:
    for table, column in (("sweep_trials", "candidate"), ("sweeps", "space")):
        connection.execute(
            f"UPDATE {table} SET {column} = replace({column}, 'builtin:smollm2-135m-Q2_K', ?)",
            (f"m/{HOSTILE}.gguf",),
        )
    connection.execute("UPDATE sweeps SET title = ?", (HOSTILE,))
    connection.execute("UPDATE gates SET detail = ?", (HOSTILE,))
    log = f"\x1b[31mred\x1b[0m \x1b]0;title\x07{HOSTILE}\u202e"
    connection.execute("UPDATE jobs SET log_tail = ?, log_path = ?", (log, log))


def test_terminal_codes_do_not_reach_a_page(demo: Path, tmp_path: Path) -> None:
    with changed(demo, tmp_path, hostile) as library:
        said = shown(library, "/candidate?trial=3")
        assert "\x1b" not in said.text and "\u202e" not in said.text
        assert f"red {HOSTILE}" in said.text


@pytest.mark.parametrize("url", [*PAGES[1:], "/candidate?trial=3"])
def test_no_text_of_a_figure_has_tags_from_outside(demo: Path, tmp_path: Path, url: str) -> None:
    """React shows text as text, but plotly.js reads tags in every text that it draws."""
    with changed(demo, tmp_path, hostile) as library:
        for graph in shown(library, url).all("Graph"):
            assert "<img" not in str(graph["figure"])


@pytest.mark.browser
def test_hostile_names_stay_text_in_a_browser(demo: Path, tmp_path: Path) -> None:
    from tests.dashboards.browsing import opened_page, served

    with changed(demo, tmp_path, hostile):
        pass
    with served(tmp_path / "odd.db") as address, opened_page() as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for url in [*PAGES, "/candidate?trial=3"]:
            page.goto(address.rstrip("/") + url)
            page.wait_for_selector("#body > *")
            page.wait_for_function("!document.querySelector('.dash-graph--pending')")
            assert page.locator("img[src=x], #body b").count() == 0
        assert HOSTILE in page.locator("#body").inner_text()


def words(page: Shown) -> str:
    """What is said, on one line."""
    return " ".join(page.text.split())


def test_a_database_that_goes_away_is_said_in_the_page(demo: Path, tmp_path: Path) -> None:
    with changed(demo, tmp_path, no_hosts) as library:
        shown(library, "/front")
        library.database.engine.dispose()
        (tmp_path / "odd.db").write_bytes(b"no database any more" * 100)
        for url in PAGES:
            assert "odd.db" in words(shown(library, url))
