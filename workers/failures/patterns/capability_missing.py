"""This build does not know a flag, a speculation type or a split that the candidate asks for.

Wordings: llama.cpp common/arg.cpp and common/speculative.cpp (2024 to 2026), llama-bench,
ik_llama.cpp common/common.cpp, argparse and llama-cpp-python.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_missing = partial(pattern, FailureKind.CAPABILITY_MISSING)

_REMOVED = (
    "This build renamed or removed the flag: choose it from the build's own --help, which the "
    "message quotes the new name of."
)
_UNKNOWN_FLAG = (
    "This build does not know the flag: take the spelling from its --help, or drop the axis for "
    "this engine."
)

PATTERNS = (
    _missing(
        r"the argument has been removed|argument \S+ has been removed"
        r"|legacy speculative option '[^']*' is disabled"
        r"|(?:flag|option|argument) '?-\S+ (?:is|was|has been) (?:removed|no longer supported)",
        "flag_removed",
        _REMOVED,
    ),
    _missing(
        r"error: (?:invalid|unknown|unrecognized|unsupported) (?:argument|option)s?:? '?-"
        r"|(?:unknown|unrecognized|unsupported) (?:argument|option)s?:? '?-{1,2}\w",
        "flag_unknown",
        _UNKNOWN_FLAG,
    ),
    _missing(
        r"got an unexpected keyword argument|Extra inputs are not permitted"
        r"|has no attribute '(?:llama|ggml)_\w+'",
        "api_unknown",
        "The installed Python package does not offer this setting: match its version, or drop "
        "the axis for this engine.",
    ),
    _missing(
        r"unknown speculative (?:decoding )?(?:stage )?(?:type|parameter)",
        "spec_type",
        "This build does not offer that speculation type: its --help lists those it has.",
    ),
    _missing(
        r"SPLIT_MODE_TENSOR not implemented|split mode '?(?:graph|attn|tensor|row)'?[^\n]{0,40}"
        r" not (?:supported|implemented)|does not support split buffers"
        r"|not implemented for SPLIT_MODE_(?:TENSOR|ROW)(?!, abort)"
        r"|multi buffers are not supported by the meta backend",
        "split_mode",
        "This build cannot split this model that way: use -sm layer.",
    ),
    _missing(
        r"does not support (?:the )?metrics endpoint|does not support \w+ endpoint\b",
        "endpoint",
        "The server was started without this endpoint: add --metrics (or --slots) to its flags.",
    ),
    _missing(
        r"built without CURL, cannot download|HTTPS (?:is not supported|requested but)"
        r"|server is built without SSL",
        "download",
        "This build cannot download: fetch the model first and give its path.",
    ),
    _missing(
        r"\bop not supported\b|unsupported op\b|op(?:eration)? not implemented"
        r"|Missing op: \w+ for|ggml op not implemented",
        "op",
        "This backend has no kernel for an operation of this model or KV type: use f16 KV, "
        "another backend or a newer build.",
        Level.HINT,
    ),
    _missing(
        r"does not support K-shift|K-shift (?:is )?not supported"
        r"|context shift(?:ing)? is not supported",
        "context_shift",
        "This cache cannot shift its context: give the run a context that it does not fill.",
    ),
)
