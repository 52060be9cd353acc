"""A real browser on a dashboard that was started as a person starts it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.orchestrator.cli.calling import ROOT, environment

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# WebGL without a card; nothing is fetched from elsewhere.
OPTIONS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
)


@contextmanager
def chromium() -> Iterator[Any]:
    """The system's Chromium; skips the test where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found[0], args=list(OPTIONS))
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def opened_page() -> Iterator[Any]:
    """One page in a browser of its own."""
    with chromium() as browser:
        yield browser.new_page()


@contextmanager
def served(storage: Path, *options: str) -> Iterator[str]:
    """The address that the command printed; it is stopped as by Ctrl-C afterwards."""
    words = [sys.executable, "-m", "orchestrator.cli.main", "dashboard"]
    words += ["--storage", str(storage), "--port", "0", *options]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment({})
    )
    try:
        assert process.stdout is not None
        yield _address(process.stdout)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _address(output: IO[str]) -> str:
    line = output.readline().strip()
    assert line.startswith("http://"), line
    return line
