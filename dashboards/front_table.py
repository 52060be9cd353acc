"""The table under the figure: the front, then what people want to compare it with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dashboards.page_parts import text
from orchestrator.analysis.front import Level, Placed
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import number, unit
from workers.statistics.flags import describe

_BESIDE = ("tok_s", "speedup", "acceptance", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib")
_HEADS = {
    "tok_s": "generation",
    "speedup": "speed-up",
    "acceptance": "accepted",
    "ppl": "perplexity",
    "ppl_delta_pct": "change",
    "kld_mean": "KLD",
    "mem_peak_mib": "peak memory",
}


def front_table(group: GroupSummary) -> str:
    """Members, best of the first objective first; then baselines and the best with a draft."""
    metrics = [
        metric
        for metric in dict.fromkeys((*group.front.objectives, *_BESIDE))
        if any(record.value(metric) is not None for record in group.records)
    ]
    members = [place for place in group.front.placed if place.is_member]
    rows = [
        _row(group, p.record, metrics, _place(group, p), tied=p.level is Level.TIED)
        for p in members
    ]
    beside = _beside(group, {place.record.trial_id for place in members})
    head = "".join(f"<th>{_head(metric)}</th>" for metric in metrics)
    body = f"<tbody>{''.join(rows)}</tbody>"
    if beside:
        width = len(metrics) + 1
        others = "".join(_row(group, r, metrics, words, beside=True) for r, words in beside)
        body += (
            f'<tbody><tr class="caption"><td colspan="{width}">For comparison, not on the '
            f"front</td></tr>{others}</tbody>"
        )
    return (
        f'<div class="scroll"><table><thead><tr><th>candidate</th>{head}</tr></thead>'
        f"{body}</table></div>"
    )


def _head(metric: str) -> str:
    mark = unit(metric)
    shown = f" <small>{text(mark)}</small>" if mark not in ("", "×") else ""
    return text(_HEADS.get(metric, metric)) + shown


def _beside(group: GroupSummary, members: set[int]) -> list[tuple[Measured, str]]:
    found = {r.trial_id: (r, "baseline") for r in group.baselines}
    for pick in group.picks:
        if pick.key == "draft":
            found.setdefault(pick.record.trial_id, (pick.record, "best with a draft"))
    return [entry for trial_id, entry in found.items() if trial_id not in members]


def _place(group: GroupSummary, place: Placed) -> str:
    record = place.record
    words = [pick.title.lower() for pick in group.picks if pick.record is record]
    return ", ".join([*words, *(["baseline"] if record.is_baseline else [])])


def _row(
    group: GroupSummary,
    record: Measured,
    metrics: Sequence[str],
    words: str,
    *,
    tied: bool = False,
    beside: bool = False,
) -> str:
    flags = "; ".join(map(describe, record.flags))
    note = ", ".join(part for part in (words, flags) if part)
    cells = "".join(f"<td>{cell}</td>" for cell in _cells(record, metrics))
    kind = ' class="beside"' if beside else ""
    name = text(group.namer.name(record.candidate))
    name += f' <small title="{NO_DIFFERENCE}">tied</small>' if tied else ""
    name += f"<br><small>{text(note)}</small>" if note else ""
    return f"<tr{kind}><td>{name}</td>{cells}</tr>"


def _cells(record: Measured, metrics: Iterable[str]) -> Iterable[str]:
    for metric in metrics:
        value = record.value(metric)
        if value is None:
            yield "–"
            continue
        if metric == "acceptance":
            yield f"{100 * value:.0f} %"
            continue
        sign = "×" if metric == "speedup" else ""
        yield text(number(metric, value)) + sign + _spread(record, metric)


def _spread(record: Measured, metric: str) -> str:
    """Half the interval; a perplexity's own is about the text, so its change carries one."""
    found = record.estimates.get(metric)
    if found is None or metric == "ppl" or found.low is None or found.high is None:
        return ""
    half = (found.high - found.low) / 2
    return f" <small>±{text(number(metric, half).lstrip('+'))}</small>" if half else ""
