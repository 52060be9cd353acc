"""The request does not fit the context, or was made to fit by throwing tokens away.

A shifted or truncated context is not an error to the engine; the numbers of that repetition
are still worthless. Wordings: llama.cpp tools/server (2023 to 2026), llama_decode's return
codes (1: no room in the KV cache), llama-cpp-python, ollama.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_overflow = partial(pattern, FailureKind.CONTEXT_OVERFLOW, lasting=True)

_TOO_LONG = "Prompt and output together exceed the context: raise -c or shorten the request."
_SHIFT = (
    "The KV cache filled and tokens were dropped during the run: raise -c, and discard this "
    "repetition."
)
_FULL = "The KV cache had no room for the batch: raise -c or shorten prompt and output."

PATTERNS = (
    _overflow(
        r"exceeds? (?:the )?(?:available |maximum |model'?s? )?context (?:size|length|window)"
        r"|exceed_context_size_error|context_length_exceeded|prompt is too long"
        r"|prompt is too big compared to KV size|does not fit in the (?:context|slot)"
        r"|larger than the (?:max(?:imum)? )?context size|too large to process|exceeds n_ctx"
        r"|input is larger than the max context",
        "prompt_plus_output",
        _TOO_LONG,
    ),
    _overflow(
        r"slot context shift, n_keep|applying context shift|shifting (?:the )?context",
        "context_shift",
        _SHIFT,
    ),
    _overflow(r"context shift is disabled|Context size has been exceeded", "full", _FULL),
    _overflow(r"KV cache is full|(?:could not|failed to) find a KV slot", "full", _FULL),
    _overflow(
        r"input (?:prompt )?(?:was )?truncated|truncating (?:input )?prompt|\btruncated = 1\b"
        r"|\"truncated\":\s*true",
        "truncated",
        "The engine cut the prompt to fit: raise -c, and discard this repetition.",
        Level.HINT,
    ),
    _overflow(
        r"llama_decode[^\n]*(?:failed to decode, ret = 1\b|returned 1\b)"
        r"|failed to decode(?: the batch)?, [^\n]*ret = 1\b"
        r"|failed to find (?:a slot for \d+ tokens|\d+ available cells|available cells)",
        "full",
        _FULL,
        Level.HINT,
    ),
    pattern(
        # The server halves the batch and tries again, and says so each time.
        FailureKind.CONTEXT_OVERFLOW,
        r"failed to find (?:free space in the KV cache|a memory slot for batch)",
        "full",
        _FULL,
        Level.SYMPTOM,
    ),
)
