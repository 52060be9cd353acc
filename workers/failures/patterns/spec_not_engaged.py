"""The server runs and does not draft: its rate is the baseline's under another name.

llama-server goes on without speculation where the context or the drafter does not allow it
(tools/server/server-context.cpp); only the log, /slots and draft_n show it.
"""

import re
from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import DRAFT_LOADING

_idle = partial(pattern, FailureKind.SPEC_NOT_ENGAGED, lasting=True)

_OFF = (
    "The server went on without speculation: pass --spec-type explicitly, use a drafter that "
    "suits the target, and count no rate of this run as speculative."
)
_NONE_ACCEPTED = (
    "Tokens were drafted and none accepted: keep the drafter's KV cache at f16, and check that "
    "drafter and target belong together."
)
_ENOUGH = 16  # drafted tokens, below which none accepted may be chance


def _many_drafted(match: re.Match[str]) -> bool:
    """True where enough tokens were drafted for a zero to mean something."""
    return int(match[1]) >= _ENOUGH


PATTERNS = (
    _idle(
        r"specul\w+ (?:decod\w+|sampling)? ?(?:is |was |will be |has been |context )?"
        r"(?:not supported|disabled|turned off|unavailable|ignored|not (?:used|active|engaged))",
        "off",
        _OFF,
    ),
    _idle(
        r"failed to initialize speculative decoding context|speculative decode is not supported"
        r"|failed to (?:initialize|init) (?:common_)?speculat\w+",
        "off",
        _OFF,
        Level.HINT,
    ),
    _idle(
        r"no implementations specified for speculative decoding|\"speculative\":\s*false"
        r"|\bdraft_n\"?\s*[:=]\s*0\b",
        "off",
        _OFF,
        after=DRAFT_LOADING,
    ),
    _idle(
        r"draft acceptance(?: rate)? = 0\.0+ *\( *0 accepted / *(\d{1,9}) generated",
        "zero_acceptance",
        _NONE_ACCEPTED,
        unless=r"\( *[1-9]\d* accepted /",
        holds=_many_drafted,
    ),
    _idle(
        r"#gen tokens = *(\d{1,9}), #acc tokens = *0\b",
        "zero_acceptance",
        _NONE_ACCEPTED,
        unless=r"#acc tokens = *[1-9]",
        holds=_many_drafted,
    ),
    _idle(
        r"\"draft_n\":\s*(\d{1,9}),\s*\"draft_n_accepted\":\s*0\b",
        "zero_acceptance",
        _NONE_ACCEPTED,
        unless=r"\"draft_n_accepted\":\s*[1-9]",
        holds=_many_drafted,
    ),
)
