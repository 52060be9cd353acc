"""Asks a live server, and says in words why it does not answer as one would like."""

from __future__ import annotations

import ssl
import time
from types import TracebackType
from typing import Any

import httpx

from workers.contract.errors import OrchestrateError

_TIMEOUT_S = 5.0
_MOST_BYTES = 16 * 2**20


class ServerError(OrchestrateError):
    """A server that cannot be looked at: not there, not ours, or it refuses."""


class LiveServer:
    """GETs with short deadlines, so that nothing hangs. Use as a context manager."""

    def __init__(self, base: str, api_key: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self.base = base
        # No redirects: a key must not be sent to another host. trust_env=False: a proxy
        # variable must not send a local request elsewhere.
        self._http = httpx.Client(
            base_url=base, headers=headers, timeout=_TIMEOUT_S, trust_env=False
        )

    def __enter__(self) -> LiveServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def get(self, path: str) -> httpx.Response:
        """The answer, whatever its status but 401 and 403. Raises ServerError."""
        try:
            answer = self._whole(path)
        except httpx.TimeoutException:
            raise ServerError(
                f"{self.base} did not answer within {_TIMEOUT_S:g} s.",
                "See whether it is overloaded, or another program listens there.",
            ) from None
        except httpx.ConnectError as error:
            raise ServerError(*_unreachable(self.base, error)) from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise ServerError(
                f"{self.base} does not answer like a web server: {error or type(error).__name__}.",
                "See which program listens there.",
            ) from None
        if answer.status_code in (401, 403):
            raise ServerError(
                f"{self.base} refuses without the right key (HTTP {answer.status_code}).",
                "Give it with --api-key, or in ORCHESTRATE_API_KEY.",
            )
        return answer

    def _whole(self, path: str) -> httpx.Response:
        """A server that sends its body drop by drop, or without end, must not hold us up."""
        end, body = time.monotonic() + _TIMEOUT_S, bytearray()
        with self._http.stream("GET", path) as answer:
            for part in answer.iter_bytes():
                body += part
                if time.monotonic() > end or len(body) > _MOST_BYTES:
                    raise httpx.ReadTimeout("the answer does not end")
        return httpx.Response(answer.status_code, content=bytes(body))

    def json(self, path: str) -> Any:
        """The body of an answer with status 200, None for anything else. Raises ServerError."""
        answer = self.get(path)
        if answer.status_code != 200:
            return None
        try:
            return answer.json()
        except ValueError:
            return None


def _unreachable(base: str, error: httpx.ConnectError) -> tuple[str, str]:
    if isinstance(error.__cause__, ssl.SSLError) or "SSL" in str(error):
        reason = str(error)
        if "WRONG_VERSION" in reason or "record layer" in reason:
            return f"{base} does not speak https.", "Write http:// instead."
        return f"{base} shows a certificate that is not trusted: {reason}.", (
            "Ask it over http on its own machine."
        )
    return f"Nothing answers at {base}: {error}.", "See whether it runs, and on which port."
