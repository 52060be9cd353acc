"""Nothing more came: the load never ended, or a request was never answered.

Wordings: llama.cpp tools/server (/health answers 503 while loading), CUDA, Metal, ollama,
Python's HTTP clients.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_hang = partial(pattern, FailureKind.TIMEOUT_HANG, deterministic=False)

_LOAD = (
    "The engine stayed in loading: kill it at the deadline, try once more, then set the card "
    "aside (a driver fault is likely)."
)
_REQUEST = "A request was not answered in time: try once more on a fresh engine."

PATTERNS = (
    _hang(
        r"request: (?:GET|POST) /\S* [\d.]+ 503"
        r"|503[^\n]{0,60}Loading model|Loading model[^\n]{0,60}\b503\b",
        "hang_on_load",
        _LOAD,
        Level.SYMPTOM,
        times=3,
    ),
    _hang(
        r"timed out waiting for (?:the )?(?:llama runner|llama-server|server|engine|model)"
        r"|(?:server|engine|model) (?:did not|didn't|failed to) (?:become|get) (?:ready|healthy)"
        r"|(?:load|startup|start-up|health)[^\n]{0,20} (?:timeout|timed out|deadline)",
        "hang_on_load",
        _LOAD,
        Level.HINT,
    ),
    _hang(
        r"the launch timed out and was terminated|Caused GPU Timeout Error"
        r"|\b\w+ timed out after \d+ ms|kIOGPUCommandBufferCallbackErrorTimeout",
        "kernel_timeout",
        "A GPU kernel ran past the system's limit: lower -ub, or raise the watchdog's delay "
        "(TdrDelay on Windows).",
    ),
    _hang(
        r"\bRead ?Timeout\b|\bReadTimeoutError\b|\bTimeoutError\b|request timed out"
        r"|context deadline exceeded|Operation timed out|\bTimeoutExpired\b|read timed out",
        "request",
        _REQUEST,
        Level.SYMPTOM,
    ),
)
