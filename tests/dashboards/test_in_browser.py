"""The page in a real browser: figures are drawn, in both themes, also on a narrow screen."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dashboards.static_page import write_page
from tests.dashboards.pages import figures, paying

pytestmark = pytest.mark.browser
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def dom(page: Path, folder: Path, *options: str) -> str:
    """The document after its scripts have run."""
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    argv = [
        *(found[0], "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
        *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
        *("--disable-sync", f"--user-data-dir={folder / 'profile'}"),
        *("--virtual-time-budget=10000", *options, "--dump-dom", page.as_uri()),
    ]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


@pytest.mark.parametrize(
    "options",
    [("--window-size=1280,900",), ("--window-size=500,900", "--force-dark-mode")],
    ids=["wide", "narrow and dark"],
)
def test_every_figure_is_drawn(tmp_path: Path, options: tuple[str, ...]) -> None:
    page = tmp_path / "page.html"
    write_page(page, paying())
    drawn = dom(page, tmp_path, *options)
    wanted = len(figures(page.read_text(encoding="utf-8")))
    assert len(re.findall(r'class="figure js-plotly-plot"', drawn)) == wanted
    assert drawn.count('class="main-svg"') >= wanted
