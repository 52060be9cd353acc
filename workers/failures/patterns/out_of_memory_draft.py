"""The drafter found the card full: the engine does not say so, it divides by the free memory.

Public reports (llama.cpp issues 24795, 26894, 27454, 27717, 28964): with 0 MiB free the
tensor split becomes 0/0, and the lookup of the device throws the C++ library's range error.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import DRAFT_LOADING

_oom = partial(pattern, FailureKind.OUT_OF_MEMORY)

_SPLIT = (
    "Most likely memory ran out before the drafter loaded (shorten the context or use a smaller "
    "KV type); if the card shows free memory it is the loader's split bug, so set -ts or try "
    "another build."
)
_FULL = (
    "The card had no free memory when the drafter was loaded: shorten the context, take a "
    "smaller KV type, or reserve room for the drafter."
)

PATTERNS = (
    _oom(
        # MSVC, libstdc++ and libc++ word the same exception in three ways.
        r"error loading model: (?:invalid vector subscript|vector::_M_range_check|vector$)",
        "draft",
        _SPLIT,
    ),
    _oom(
        r"vector::_M_range_check: __n \(which is (\d+)\) >= this->size\(\) \(which is \1\)",
        "draft",
        _SPLIT,
    ),
    _oom(r"invalid vector subscript", "draft", _SPLIT, Level.HINT),
    _oom(r"vector::_M_range_check", "draft", _SPLIT, Level.HINT, after=DRAFT_LOADING),
    _oom(r"using device \S+ [^\n]* \d{1,2} MiB free", "draft", _FULL, after=DRAFT_LOADING),
    _oom(
        r"using device \S+ [^\n]* 0 MiB free",
        "weights",
        "The card had no free memory before the model was loaded: another process holds it, so "
        "end that first.",
        Level.HINT,
        deterministic=False,
    ),
)
