"""It ran, but out of the card: pages went to system memory, and every rate is a lie.

Windows (WDDM) and unified memory do not fail an allocation that is too large; they move pages.
Reports: llama.cpp issues 4498 and 19945; the memory breakdown is common/fit.cpp's.
"""

import re
from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern, rx

_spill = partial(pattern, FailureKind.MEMORY_SPILL, lasting=True)

_WDDM = (
    "Part of the model sits in shared system memory: shorten the context or take a smaller "
    "quant, and switch the driver's system-memory fallback off so that it fails instead."
)

# Free memory is reported before other users of the card let go of theirs, so not every byte
# above it is a spill; a tenth above it is.
_MARGIN = 1.10
_BUFFER = rx(r"\b(\w+) +\w+ buffer size = +(\d{1,9}(?:\.\d{1,9})?) MiB")


def _more_than_exists(match: re.Match[str]) -> bool:
    """Own memory against the card's total, both in MiB."""
    return int(match[2]) > int(match[1])


def _more_than_was_free(match: re.Match[str]) -> bool:
    """All buffers announced on a device (MiB) against what was free before the load."""
    device, free = match[1], int(match[2])
    rest = match.string[match.end() :].split(f"using device {device} ")[0]
    buffers = [float(size) for name, size in _BUFFER.findall(rest) if name == device]
    return sum(buffers) > free * _MARGIN > 0


PATTERNS = (
    _spill(
        r"\| +- [A-Za-z]+\d* \([^|\n]*\| *(\d{1,9}) = *\d+ \+ +\( *(\d{1,9}) = ",
        "exceeds_card",
        _WDDM,
        Level.CAUSE,
        holds=_more_than_exists,
    ),
    _spill(
        r"using device (\w+) \([^\n]* (\d{1,9}) MiB free",
        "exceeds_free",
        _WDDM,
        Level.CAUSE,
        holds=_more_than_was_free,
    ),
    _spill(
        r"(?:spill(?:s|ed|ing|over)?|migrat\w+|overflow\w*|fell|falling|fallback)\b[^\n]{0,40}"
        r"\b(?:shared|system)[ -](?:GPU |video )?memory"
        r"|shared GPU memory (?:usage|in use|is being used|used)\b|\bsysmem fallback",
        "wddm",
        _WDDM,
        Level.CAUSE,
    ),
    _spill(
        r"current allocated size is greater than the recommended max working set size",
        "working_set",
        "The buffers exceed what Metal keeps resident, so pages move during the run: take a "
        "smaller quant or context.",
        Level.CAUSE,
    ),
    _spill(
        r"GGML_CUDA_ENABLE_UNIFIED_MEMORY\W{1,3}1|\bunified memory oversubscri",
        "unified_memory",
        "Unified memory was on, so an overfull card pages instead of failing: unset "
        "GGML_CUDA_ENABLE_UNIFIED_MEMORY for measured runs.",
        Level.HINT,
    ),
)
