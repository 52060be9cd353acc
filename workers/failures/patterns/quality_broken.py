"""It ran and what came out is no language: NaN, or one character for ever.

Wordings: llama.cpp tools/perplexity, ggml-cpu, ik_llama.cpp; reports in ik_llama.cpp issues
245 and 285 and llama.cpp issue 23693.
"""

import re
from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_broken = partial(pattern, FailureKind.QUALITY_BROKEN, lasting=True)

_NAN = (
    "The model computes NaN with these settings: exclude this KV type or quant on this build, "
    "and check the file with --check-tensors."
)
_NONSENSE = (
    "The output is no language: exclude this KV type, split or build for this model, however "
    "fast it is."
)
_ABSURD = 1000.0  # no language model that works has a perplexity like this on plain text


def _absurd(match: re.Match[str]) -> bool:
    """True where a final perplexity is beyond what any working model yields."""
    return float(match[1]) > _ABSURD


PATTERNS = (
    _broken(r"\[\d+\]\s*-?nan\b", "nan", _NAN, Level.DECISIVE),
    _broken(
        r"\b(?:PPL|perplexity|KLD|KL divergence)\b[^\n]{0,30}[:=]\s*-?nan\b"
        r"|\bMean\b[^\n]{0,30}[:=]\s*-?nan\b",
        "nan",
        _NAN,
        Level.DECISIVE,
    ),
    _broken(
        r"GGML_ASSERT\(!?\(?(?:std::)?!?isn?an|!isnan\(|isfinite\(|encountered NaN"
        r"|(?:logits?|probs?|probabilit\w+)\b[^\n]{0,40}\bnans?\b"
        r"|\bfound (?:a )?nan\b(?! value at block)|\bnan (?:in|detected|logits|values?)\b"
        r"|Failed to sample token|\binf(?:inite)? or nan\b",
        "nan",
        _NAN,
        unless=r"found nan value at block",
    ),
    _broken(
        r"Final estimate: PPL(?: over \d+ chunks[^=\n]*)? = (\d+\.\d+)",
        "absurd_perplexity",
        _NONSENSE,
        holds=_absurd,
    ),
    _broken(
        # Question marks, at signs and G are what broken kernels repeat; ! only inside an
        # answer, as banners are made of it, and words only with letters, as lists of equal
        # numbers (heads per layer) are usual.
        r"([?@G\ufffd])\1{19,}|\"(?:content|text)\":\s*\"[^\"\n]{0,20}!{20,}"
        r"|\b([a-z]\w{0,11})\W{1,2}(?:\2\W{1,2}){29,}",
        "nonsense",
        _NONSENSE,
        Level.HINT,
    ),
    _broken(
        r"(?:garbage|gibberish|garbled) (?:output|text|tokens?)|output is (?:garbage|gibberish)",
        "nonsense",
        _NONSENSE,
        Level.HINT,
    ),
)
