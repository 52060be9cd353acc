"""A real browser on a dashboard that was started as a person starts it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

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
