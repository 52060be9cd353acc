"""A browser's remote control over two pipes: no port is opened, so no network is needed.

Messages are JSON ended by a zero byte. Source: the Chrome DevTools Protocol, and Chromium's
`--remote-debugging-pipe` (read from file descriptor 3, written to 4).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from workers.quality.sandbox.running import Running

_MOST_BYTES = 32 << 20  # of one message; a page may try to hand over anything
_MOST_DIALOGS = 20
_DIALOG = "Page.javascriptDialogOpening"


class PageHangsError(Exception):
    """No answer came in time: a script never ends, or the page asks one thing after the other."""


class BrowserGoneError(Exception):
    """The browser ended."""


class DevTools:
    """One connection. Dialogs of pages are closed as they come."""

    def __init__(self, browser: Running) -> None:
        self._browser = browser
        self._session: str | None = None
        self._number = 0
        self._dialogs = 0
        self._rest = bytearray()
        self._answers: dict[int, dict[str, Any]] = {}
        self._events: set[str] = set()

    def attach(self, limit_s: float) -> None:
        """Opens a page and speaks to it from now on."""
        page = self.call("Target.createTarget", {"url": "about:blank"}, limit_s)
        attached = {"targetId": page["targetId"], "flatten": True}
        self._session = self.call("Target.attachToTarget", attached, limit_s)["sessionId"]

    def call(self, method: str, parameters: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """The result of a command; empty where the browser says that it failed.

        Raises PageHangsError and BrowserGoneError.
        """
        number = self._send(method, parameters)
        self._wait(limit_s, lambda: number in self._answers)
        return dict(self._answers.pop(number).get("result") or {})

    def event(self, name: str, limit_s: float) -> None:
        """Waits until something has happened since it was last waited for. Raises as `call`."""
        self._wait(limit_s, lambda: name in self._events)
        self._events.discard(name)

    def _send(self, method: str, parameters: dict[str, Any]) -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._browser.write(json.dumps(message).encode() + b"\0")
        return self._number

    def _wait(self, limit_s: float, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + limit_s
        while not done():
            left = deadline - time.monotonic()
            if left <= 0 or len(self._rest) > _MOST_BYTES:
                raise PageHangsError
            data = self._browser.read(left)
            if data is None:
                raise BrowserGoneError
            self._rest += data
            self._take_messages()

    def _take_messages(self) -> None:
        *whole, rest = self._rest.split(b"\0")
        self._rest = bytearray(rest)
        for raw in whole:
            message = json.loads(raw)
            if "id" in message:
                self._answers[message["id"]] = message
                continue
            self._events.add(message["method"])
            if message["method"] == _DIALOG and self._dialogs < _MOST_DIALOGS:
                self._dialogs += 1
                self._send("Page.handleJavaScriptDialog", {"accept": True})
