"""No room on the card, and only the allocation is named: the lines around it say what for.

An allocation that fails reads the same for every buffer; the last one announced before it
tells which was next. Order: weights, KV cache, compute buffers, drafter, requests.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import ALLOCATION, COMPUTE, DRAFT_LOADING, KV, RUNTIME, WEIGHTS

_oom = partial(pattern, FailureKind.OUT_OF_MEMORY)

_DRAFT = (
    "The target left no room for the drafter: shorten the context, take a smaller KV type or "
    "drafter, or reserve memory for it."
)
PATTERNS = (
    _oom(
        ALLOCATION,
        "compute_runtime",
        RUNTIME,
        Level.DECISIVE,
        after=r"server is listening on|all slots are idle",
    ),
    _oom(ALLOCATION, "draft", _DRAFT, Level.DECISIVE, after=DRAFT_LOADING),
    _oom(
        ALLOCATION,
        "draft",
        _DRAFT,
        Level.DECISIVE,
        elsewhere=r"failed to (?:load draft model|create draft context|create MTP context)",
    ),
    _oom(
        r"alloc_tensor_range: failed to allocate (?!CPU\b)",
        "weights",
        WEIGHTS,
        Level.HINT,
        unless=r"KV buffer size|KV self size|new_context|llama_context:",
    ),
    _oom(
        ALLOCATION,
        "weights",
        WEIGHTS,
        Level.HINT,
        after=r"load_tensors:|loading model tensors",
        unless=r"KV buffer size|KV self size|new_context|llama_context:|llama_kv_cache",
    ),
    _oom(
        ALLOCATION,
        "kv",
        KV,
        Level.HINT,
        after=r"KV buffer size",
        unless=r"KV self size|llama_kv_cache\w*: size =|compute buffer|sched_reserve",
    ),
    _oom(ALLOCATION, "compute", COMPUTE, Level.HINT),
    _oom(
        r"Requested buffer size exceeds device (?:memory allocation|buffer size) limit"
        r"|exceeds? (?:the )?(?:max(?:imum)? )?(?:buffer|allocation) (?:size )?limit",
        "compute",
        "One buffer is larger than this backend may allocate at once: lower -ub or the context.",
        Level.HINT,
    ),
)
