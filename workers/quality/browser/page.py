"""A page in a confined browser: what it shows, what it says, and keys to press."""

from __future__ import annotations

import base64
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.quality.browser.devtools import BrowserGoneError, DevTools, PageHangsError
from workers.quality.browser.picture import Picture, read_png
from workers.quality.errors import SandboxError
from workers.quality.sandbox.base import Command, Sandbox
from workers.quality.sandbox.limits import BROWSER
from workers.quality.sandbox.running import Running, running

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WIDTH, _HEIGHT = 800, 900
_START_S = 30.0
_ANSWER_S = 8.0
# Before any script of the page: errors are counted where the page does not see it.
_COUNT_ERRORS = """(() => {
  const found = [];
  const note = (event) => found.push(String(event.message || event.reason || 'a file is missing'));
  addEventListener('error', note, true);
  addEventListener('unhandledrejection', note);
  Object.defineProperty(window, '__errors', {value: () => found.slice(0, 5).join('; ')});
})()"""
# The sandbox around all of it replaces the browser's own, which needs user namespaces inside.
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-zygote"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-breakpad", "--disable-dev-shm-usage", "--disable-extensions", "--mute-audio"),
    *("--renderer-process-limit=1", "--hide-scrollbars", "--remote-debugging-pipe"),
    "--js-flags=--max-old-space-size=256",
)
_KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, " ": 32}


def browser_path() -> Path | None:
    """The browser of this machine, None where it has none."""
    found = (shutil.which(name) for name in BROWSERS)
    return next((Path(path) for path in found if path), None)


class Page:
    """One page. Every method may raise PageHangsError or BrowserGoneError."""

    def __init__(self, tools: DevTools, home: str) -> None:
        self._tools = tools
        self._home = home

    def load(self, file: str) -> None:
        """Loads a file of the working directory (a query may follow its name)."""
        self._home = self._home.rsplit("/", 1)[0] + "/" + file
        self._tools.call("Page.navigate", {"url": self._home}, _ANSWER_S)
        self._tools.event("Page.loadEventFired", 2 * _ANSWER_S)

    def is_left(self) -> bool:
        """Whether the page has gone to another address."""
        return self.evaluate("location.href.split('#')[0]") != self._home

    def errors(self) -> str:
        """Errors of scripts that nobody caught; empty where there were none."""
        return self.evaluate("typeof __errors === 'function' ? __errors() : ''")

    def evaluate(self, expression: str) -> str:
        """The value of an expression as text."""
        asked = {"expression": f"String({expression})", "returnByValue": True}
        value = self._tools.call("Runtime.evaluate", asked, _ANSWER_S).get("result", {})
        return str(value.get("value", ""))

    def number(self, element: str) -> int | None:
        """The number that an element shows; None where there is no such element or number."""
        text = self.evaluate(f"(document.getElementById('{element}') || {{}}).textContent")
        digits = "".join(char for char in text if char in "0123456789")
        return int(digits[:9]) if digits else None

    def picture(self) -> Picture:
        """What it looks like, a quarter of its size."""
        clip = {"x": 0, "y": 0, "width": _WIDTH, "height": _HEIGHT, "scale": 0.25}
        asked = {"format": "png", "clip": clip}
        shown = self._tools.call("Page.captureScreenshot", asked, _ANSWER_S)
        if "data" not in shown:
            raise PageHangsError
        return read_png(base64.b64decode(shown["data"]))

    def press(self, key: str) -> None:
        """Presses and releases a key."""
        code = "Space" if key == " " else key
        told = {"key": key, "code": code, "windowsVirtualKeyCode": _KEYS[key]}
        for kind in ("rawKeyDown", "keyUp"):
            self._tools.call("Input.dispatchKeyEvent", {"type": kind, **told}, _ANSWER_S)

    def wait(self, seconds: float, until: Callable[[], bool]) -> bool:
        """Looks on until something is so, or for so long. Whether it came to be so."""
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.1)
        return True


@contextmanager
def opened(sandbox: Sandbox, files: dict[str, str]) -> Iterator[tuple[Page, Running]]:
    """A browser with an empty page and these files. Raises SandboxError where it does not start."""
    path = browser_path()
    if path is None:
        raise SandboxError(f"None of {', '.join(BROWSERS)} is installed.", "Install Chromium.")
    argv = (str(path), *_FLAGS, "--user-data-dir=profile")
    reads = (path.resolve().parent,)
    with running(sandbox, Command(argv, files, BROWSER, pipes=True, reads=reads)) as browser:
        tools = DevTools(browser)
        try:
            tools.attach(_START_S)
            for method in ("Page.enable", "Runtime.enable"):
                tools.call(method, {}, _ANSWER_S)
            # A window of that size would lose part of it to bars that nobody sees.
            size = {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False}
            tools.call("Emulation.setDeviceMetricsOverride", size, _ANSWER_S)
            script = {"source": _COUNT_ERRORS}
            tools.call("Page.addScriptToEvaluateOnNewDocument", script, _ANSWER_S)
        except (BrowserGoneError, PageHangsError):
            why = browser.ended_by or f"it ended with {browser.returncode}"
            raise SandboxError(
                f"{path} does not run in the sandbox: {why}.",
                "Install Debian's or Ubuntu's chromium package; a snap cannot run there.",
            ) from None
        yield Page(tools, f"file://{browser.directory}/"), browser
