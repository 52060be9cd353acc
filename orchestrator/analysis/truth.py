"""Plain sentences about a result: what speculation and K/V types really did on this rig."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.draft_length import TOLERANCE, DraftLength
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.words import number, short_name
from workers.contract.reports import RigKind
from workers.statistics.comparison import Comparison, Verdict
from workers.statistics.positions import by_position
from workers.statistics.spread import Spread

NO_DIFFERENCE = "no difference shown"


def place(record: Measured) -> str:
    """The rig as a sentence names it."""
    if record.rig_kind is RigKind.CPU:
        return "this CPU" if record.rig == "cpu" else f"the CPU {record.rig}"
    return record.rig


def fastest(records: Iterable[Measured]) -> Measured | None:
    """The complete record with the highest tok/s."""
    known = [r for r in records if r.state is State.COMPLETE and r.value("tok_s") is not None]
    return max(known, key=lambda r: (r.value("tok_s") or 0.0, -r.trial_id), default=None)


def speculation(records: Sequence[Measured], comparer: Comparer) -> str | None:
    """Whether drafting pays: the best with a draft against the best without, same model.

    None when nothing drafted was measured.
    """
    best = fastest(r for r in records if r.candidate.drafts)
    if best is None:
        return None
    speed = number("tok_s", best.value("tok_s") or 0.0)
    length = f" at n_max {best.candidate.n_max}" if best.candidate.n_max is not None else ""
    models = {r.candidate.model for r in records}
    on = f" on {short_name(best.candidate.model)}" if len(models) > 1 else ""
    head = f"With {best.candidate.spec} the best is {speed} tok/s{length}{on}"
    plain = fastest(
        r for r in records if not r.candidate.drafts and r.candidate.model == best.candidate.model
    )
    if plain is None:
        return f"{head}; the same model was not measured without, so a gain cannot be stated."
    made = comparer.compare(best, plain, "tok_s")
    against = f"{number('tok_s', plain.value('tok_s') or 0.0)} without"
    where = place(best)
    match made.verdict:
        case Verdict.TIE:
            why = f" ({made.note})" if made.note else ""
            return f"{head}, against {against}: {NO_DIFFERENCE} on {where}{why}."
        case Verdict.BETTER:
            outcome = "gains"
        case Verdict.WORSE:
            outcome = "loses"
    return f"{head}, {made.value:.2f}× the {against}: on {where} speculation {outcome}."


def acceptance(records: Sequence[Measured]) -> str | None:
    """How many drafted tokens were accepted by the fastest drafting candidate."""
    best = fastest(r for r in records if r.candidate.drafts)
    if best is None or (share := best.value("acceptance")) is None:
        return None
    said = f"There, {100 * share:.0f} % of the drafted tokens were accepted"
    length, places = best.value("accepted_len"), by_position(best.throughput)
    if length is None or not places:
        return f"{said}; the build did not tell at which position of a draft."
    shares = ", ".join(f"{100 * place.value:.0f}" for place in places)
    return f"{said} ({shares} % by position); a draft gave {length:.2f} tokens."


def kv_types(
    records: Sequence[Measured], comparer: Comparer, lead: Measured | None
) -> tuple[str, ...]:
    """What each K/V pair changes against the baseline of `lead`, all else equal."""
    known = [r for r in records if r.state is State.COMPLETE]
    base = next((r for r in known if lead and r.trial_id == lead.baseline_id), None)
    if base is None:
        return ()
    sentences = []
    for record in known:
        c = record.candidate
        if c.kv == base.candidate.kv or replace(
            c, kv_k=base.candidate.kv_k, kv_v=base.candidate.kv_v
        ) != (base.candidate):
            continue
        changes = [
            change
            for metric in ("ppl", "tok_s")
            if record.value(metric) is not None and base.value(metric) is not None
            for change in [_change(metric, comparer.compare(record, base, metric))]
        ]
        if changes:
            sentences.append(
                f"K/V {c.kv} instead of {base.candidate.kv} on {short_name(c.model)}: "
                f"{', '.join(changes)}."
            )
    return tuple(sentences)


def _change(metric: str, made: Comparison) -> str:
    if metric == "ppl":
        text = f"perplexity {number('ppl_delta_pct', made.value)} %"
    else:
        percent = 100 * (made.value - 1)
        text = f"{abs(percent):.1f} % {'faster' if percent > 0 else 'slower'}"
    return f"{text} ({NO_DIFFERENCE})" if made.verdict is Verdict.TIE else text


def draft_length(found: DraftLength) -> str | None:
    """The shortest draft that is as fast as the fastest, when it is a shorter one."""
    short, best = found.smallest.candidate.n_max, found.fastest.candidate.n_max
    if short == best:
        return None
    return (
        f"A draft of n_max {short} is within {100 * TOLERANCE:.0f} % of the fastest, "
        f"n_max {best} ({NO_DIFFERENCE})."
    )


def repeatability(spread: Spread | None, rig: str) -> str | None:
    """How far launches of one configuration differ; it limits what any comparison can show."""
    if spread is None:
        return None
    share = 100 * math.sqrt(spread.variance)
    return f"Launches of one configuration differ by {share:.1f} % (standard deviation) on {rig}."
