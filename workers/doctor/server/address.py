"""The address of a server, as a person types it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from workers.contract.errors import OrchestrateError

_FORM = "Write: http://HOST:PORT."


class AddressError(OrchestrateError):
    """A text that is no address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """`base` has no slash at its end."""

    base: str
    host: str
    port: int


def read_address(text: str) -> Address:
    """From `http://host:8080`. Raises AddressError."""
    if "://" not in text:
        raise AddressError(f"{text!r} has no scheme.", f"Write: --url http://{text}.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise AddressError(f"{text!r} is no address: {error}.", _FORM) from None
    if parts.scheme not in ("http", "https"):
        raise AddressError(f"{text!r} is neither http nor https.", _FORM)
    if not parts.hostname:
        raise AddressError(f"{text!r} names no host.", _FORM)
    if parts.username or parts.password:
        raise AddressError("A URL with a password in it ends up in logs.", "Use --api-key.")
    path = parts.path.rstrip("/").removesuffix("/metrics").removesuffix("/v1")
    base = f"{parts.scheme}://{parts.netloc}{path}"
    return Address(base, parts.hostname, port or (443 if parts.scheme == "https" else 80))
