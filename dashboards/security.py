"""Who may read, and what a browser may load: checked before and after every request."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask, Response

COOKIE = "orchestrate_token"
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]", "::1")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_REFUSED = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>A token is needed</title>"
    "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:40em;"
    "margin:15vh auto;padding:0 20px}</style><h1>A token is needed</h1><p>Open the address that "
    "<code>orchestrate dashboard</code> printed when it started: it holds the token.</p>"
)


def is_local(host: str) -> bool:
    """Whether an address to listen on can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """A token that cannot be guessed: 256 random bits."""
    return secrets.token_urlsafe(32)


def policy(hashes: Sequence[str]) -> str:
    """A content security policy under which nothing is loaded from, or sent to, another host.

    plotly.js writes styles into elements, makes images of graphs from blobs and compiles its
    WebGL programs with `new Function`; scripts in the page itself must have one of the `hashes`.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'unsafe-eval' {' '.join(hashes)}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def protect(server: Flask, csp: str, token: str | None) -> None:
    """Puts headers on every answer, and refuses requests that may not be answered.

    With a `token` a request must carry it, in a cookie or once in the address, which is then
    exchanged for the cookie. Without one only requests to a local name are answered, so that no
    web site can reach the server by having its own name point here (DNS rebinding).
    """
    from flask import make_response, redirect, request

    @server.before_request
    def check() -> Any:
        if token is None:
            name = request.host.rpartition(":")[0] or request.host
            local = name in _LOCAL_NAMES or request.host in _LOCAL_NAMES
            return None if local else ("This address is not local.\n", 403)
        given = request.args.get("token")
        if given is not None and _same(given, token):
            others = {name: found for name, found in request.args.lists() if name != "token"}
            answer = make_response(redirect(_address(request.path, others)))
            answer.set_cookie(COOKIE, token, httponly=True, samesite="Strict")
            return answer
        if _same(request.cookies.get(COOKIE, ""), token):
            return None
        return _REFUSED, 401

    @server.after_request
    def add_headers(answer: Response) -> Response:
        answer.headers.update({**_HEADERS, "Content-Security-Policy": csp})
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer


def _same(given: str, token: str) -> bool:
    """Compared in constant time, as bytes: hmac refuses text that is not ASCII."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())


def _address(path: str, arguments: dict[str, list[str]]) -> str:
    """A path of this server; a second slash in front would name another host."""
    from urllib.parse import urlencode

    query = urlencode(arguments, doseq=True)
    return "/" + path.lstrip("/\\") + (f"?{query}" if query else "")
