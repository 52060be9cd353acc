"""From a log and an exit code to one diagnosis: the cause, not the last line.

Works from text alone, as a log pasted by a user has nothing else. The tables in `patterns`
know the wordings; here is only how one of many matches is chosen:

1. benign lines are gone before anything is matched (`log`, `benign`);
2. an error that the engine got past does not count, unless it makes the numbers a lie;
3. the line nearest to the root cause wins (`Level`), among equals one that ended the run;
4. how the process ended counts only against lines that give no reason.
"""

from __future__ import annotations

from workers.contract.failure import Diagnosis, Phase
from workers.failures.ending import Ending, by_force, by_itself
from workers.failures.log import Log, read_log
from workers.failures.pattern import Level, Pattern
from workers.failures.registry import all_patterns


def classify(
    text: str,
    rc: int | None = None,
    signal: int | None = None,
    phase: Phase | None = None,
    *,
    succeeded: bool = False,
    timed_out: bool = False,
    gpu_expected: bool = True,
) -> Diagnosis | None:
    """The reason a run failed, or None where it did not.

    `rc` is an exit code in any platform's form, `signal` a positive number. `succeeded` says
    that the run yielded its result: then only what spoils the result is a failure. `timed_out`
    says that the caller ended it at a deadline. `gpu_expected` is False where the candidate
    itself puts layers on the CPU. Raises nothing, whatever the text.
    """
    log = read_log(text)
    found = _strongest(log, lasting_only=succeeded, gpu_expected=gpu_expected)
    if found is not None and found[0] > Level.GENERIC:
        return found[1]
    if succeeded:
        return found[1] if found else None
    ending = Ending(rc=rc, signal=signal, phase=phase, timed_out=timed_out)
    forced = by_force(ending)
    if forced is not None:
        return forced
    return found[1] if found else by_itself(ending, log)


def _strongest(
    log: Log, *, lasting_only: bool, gpu_expected: bool
) -> tuple[Level, Diagnosis] | None:
    """The match nearest to a root cause; among equals one that ended the run, then the first."""
    best: tuple[int, bool, int] | None = None
    winner: tuple[Level, Diagnosis] | None = None
    for known in all_patterns():
        if (lasting_only and not known.lasting) or (known.gpu_only and not gpu_expected):
            continue
        offset = _first_match(known, log)
        if offset is None:
            continue
        rank = (known.level, not known.lasting, -offset)
        if best is None or rank > best:
            best, winner = rank, (known.level, known.diagnosis(log.line_at(offset)))
    return winner


def _first_match(known: Pattern, log: Log) -> int | None:
    """Where a pattern first applies, by all of its conditions; None where it does not."""
    if known.elsewhere is not None and not known.elsewhere.search(log.folded):
        return None
    if known.unless is not None and known.unless.search(log.folded):
        return None
    count = 0
    for match in known.line.finditer(log.folded):
        if match.start() < log.passed and not known.lasting:
            continue
        if known.holds is not None and not known.holds(match):
            continue
        if known.after is not None and not known.after.search(log.folded, 0, match.start()):
            continue
        count += 1
        if count >= known.times:
            return match.start()
    return None
