"""A model in several GGUF parts, one of which is missing, misnamed or joined by hand.

Wordings: llama.cpp src/llama-model-loader.cpp (llama_get_list_splits and the loader).
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_bad = partial(pattern, FailureKind.BAD_MODEL_FILE)

_MISSING = (
    "A part of the split model is missing beside the first one: download all parts into one "
    "folder under their own names."
)

PATTERNS = (
    _bad(r"failed to load GGUF split from", "split_missing", _MISSING, Level.DECISIVE),
    _bad(
        r"failed to open GGUF file '[^'\n]*-(?!00001)\d{5}-of-\d{5}\.gguf",
        "split_missing",
        _MISSING,
        Level.DECISIVE,
    ),
    _bad(
        r"corrupted model: \d+ tensors expected but \d+ found|invalid split count"
        r"|missing key \S+ in GGUF split",
        "split_missing",
        _MISSING,
    ),
    _bad(
        r"illegal split file idx|model must be loaded with the first split|invalid split file idx",
        "split_not_first",
        "Give the path of the first part (…-00001-of-…): the engine finds the others.",
        Level.DECISIVE,
    ),
    _bad(
        r"invalid split file(?: name)?: ",
        "split_cat",
        "The parts were joined or renamed: use llama-gguf-split --merge on the original parts, "
        "or give the path of part 00001.",
        Level.DECISIVE,
    ),
)
