"""How long a reader of the dashboard waits: for the front, and for a filter, by number of trials.

python -m benchmarks.dashboard [--out benchmarks/results/dashboard.md] [--trials 100 10000 100000]
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.many_trials import make
from tests.dashboards.browsing import opened_page, served

COMMAND = "python -m benchmarks.dashboard --out benchmarks/results/dashboard.md"
VISITS, CHOICES = 5, 6
_DRAWN = "() => document.querySelector('.js-plotly-plot .main-svg .xtick') !== null"
_WATCH = """() => {
  window.plots = 0;
  document.querySelector('.js-plotly-plot').on('plotly_afterplot', () => { window.plots += 1; });
}"""


def front_visible(page: Any, url: str) -> float:
    """Seconds from asking for the address until the front's axes and points are drawn."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_function(_DRAWN, timeout=300_000)
    return time.perf_counter() - began


def filtered(page: Any, model: str) -> float:
    """Seconds from the click on a model in the filter until the figure is drawn anew."""
    page.get_by_role("group", name="Model").get_by_role("button").first.click()
    option = page.get_by_text(model, exact=True).last
    option.wait_for()
    page.evaluate(_WATCH)
    began = time.perf_counter()
    option.click()
    page.wait_for_function("() => window.plots > 0", timeout=60_000)
    taken = time.perf_counter() - began
    page.keyboard.press("Escape")
    return taken


def row(folder: Path, trials: int) -> str:
    """One row of the table."""
    path = folder / f"{trials}.db"
    if not path.exists():
        make(path, trials)
    began = time.perf_counter()
    with served(path) as address, opened_page() as page:
        front_visible(page, f"{address}front")
        ready = time.perf_counter() - began
        visits = [front_visible(page, f"{address}front") for _ in range(VISITS)]
        models = ("smollm2-135m-Q4_1", "smollm2-135m-Q8_0", "smollm2-135m-Q2_K")
        choices = [filtered(page, models[i % len(models)]) for i in range(CHOICES)]
    size = path.stat().st_size / 2**20
    return (
        f"| {trials:,} | {size:,.0f} | {ready:.1f} | {statistics.median(visits):.2f} "
        f"({max(visits):.2f}) | {statistics.median(choices):.2f} ({max(choices):.2f}) |"
    )


def main() -> None:
    """Prints the table, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--trials", type=int, nargs="+", default=[100, 10_000, 100_000])
    parser.add_argument("--databases", type=Path, help="where to find them, or make and keep them")
    given = parser.parse_args()
    lines = [
        "# What a reader of the dashboard waits for",
        "",
        f"`{COMMAND}`",
        "",
        f"Headless Chromium on the same machine as the server: Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start. The sweep is the "
        "demo's, copied with other speeds; every trial has its samples. Seconds: median and, in "
        "brackets, the longest.",
        "",
        "| trials | file (MiB) | first front after the start | front visible | filter by model |",
        "|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        for trials in given.trials:
            lines.append(row(given.databases or Path(name), trials))
            print(lines[-1], flush=True)
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text)


if __name__ == "__main__":
    main()
