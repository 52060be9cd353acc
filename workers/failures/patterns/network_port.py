"""The server cannot have its port, or the network fails: try again, blame no candidate.

Wordings: llama.cpp tools/server, the socket errors of Linux, macOS, Windows, Python and Go.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_port = partial(pattern, FailureKind.NETWORK_PORT, deterministic=False)

_TAKEN = "The port is taken or not allowed: launch again on another port; the GPU is not at fault."

PATTERNS = (
    _port(
        r"couldn'?t bind (?:HTTP )?(?:server )?socket|could not bind|failed to bind"
        r"|couldn't bind to|error binding|bind\(\) failed|bind to port \d+ failed",
        "port_in_use",
        _TAKEN,
    ),
    _port(
        r"address (?:is )?already in use|EADDRINUSE|Errno (?:98|48)\b|WinError 10048"
        r"|only one usage of each socket address|port \d+ is (?:already )?(?:in use|taken|used)",
        "port_in_use",
        _TAKEN,
    ),
    _port(
        r"WinError 10013|EACCES[^\n]*(?:bind|listen)|bind: permission denied", "port_denied", _TAKEN
    ),
    _port(
        r"failed to initialize HTTP server|exiting due to HTTP server error",
        "http_server",
        _TAKEN,
        Level.GENERIC,
    ),
    _port(
        r"could(?: not|n't) resolve host|Name or service not known|Temporary failure in name"
        r" resolution|HTTPLIB failed|Could not establish connection|getaddrinfo failed"
        r"|Network is unreachable|SSL: CERTIFICATE_VERIFY_FAILED",
        "network",
        "The network did not answer: check the connection and proxy, then run again.",
        Level.HINT,
    ),
    _port(
        r"connection (?:was )?(?:refused|reset|aborted)|ECONNREFUSED|ECONNRESET"
        r"|Errno (?:111|61|104)\b|WinError 100(?:54|61)|RemoteProtocolError|Remote end closed",
        "connection_lost",
        "The engine was not there to answer: read its own log for the reason, then run again.",
        Level.GENERIC,
    ),
)
