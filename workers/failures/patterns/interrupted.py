"""Someone stopped the run: nothing is learnt about the candidate."""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_stopped = partial(pattern, FailureKind.INTERRUPTED, deterministic=False)

PATTERNS = (
    _stopped(
        r"^KeyboardInterrupt\b|Received second interrupt, terminating|\bSIGINT\b|\bSIGTERM\b"
        r"|received signal (?:2|15)\b|0xc000013a|\b3221225786\b|\^C\s*$",
        "stopped",
        "The run was stopped from outside: run the same command to go on from there.",
        Level.SYMPTOM,
    ),
)
