"""Pieces of the page as HTML. Everything that comes from outside is escaped here."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from orchestrator.analysis.recommend import Pick
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import Namer, number, unit

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_UNDER = ("speedup", "ppl", "ppl_delta_pct", "kld_mean", "acceptance", "mem_peak_mib")


def text(value: object) -> str:
    """A text that cannot become markup."""
    return html.escape(str(value), quote=True)


def figure_block(name: str, figure: Figure, label: str) -> str:
    """A place for a figure and its data; `label` says what it shows, for screen readers."""
    # "<" never appears in the data, so no text in it can end the script element.
    data = json.dumps(json.loads(figure.to_json()), ensure_ascii=False).replace("<", "\\u003c")
    height = int(figure.layout.height or 400)
    return (
        f'<div class="figure" role="img" aria-label="{text(label)}" style="height:{height}px" '
        f'data-figure="{text(name)}"></div>\n'
        f'<script type="application/json" id="{text(name)}">{data}</script>'
    )


def cards(picks: Iterable[Pick], namer: Namer, speed: str | None) -> str:
    """The recommendations side by side; one candidate that was picked twice is one card."""
    merged: dict[int, list[Pick]] = {}
    for pick in picks:
        merged.setdefault(pick.record.trial_id, []).append(pick)
    made = "".join(_card(same, namer, speed) for same in merged.values())
    return f'<div class="cards">{made}</div>'


def _card(picks: list[Pick], namer: Namer, speed: str | None) -> str:
    """Its speed in large, the rest below, and who comes next in what it was picked for first."""
    pick = picks[0]
    record = pick.record
    titles = [one.title if i == 0 else one.title.lower() for i, one in enumerate(picks)]
    lead = speed if speed is not None and record.value(speed) is not None else None
    parts = [f'<p class="title">{text(", ".join(titles))}</p>']
    if lead:
        value = number(lead, record.value(lead) or 0.0)
        parts.append(f'<p class="big">{text(value)} <small>{text(unit(lead))}</small></p>')
    parts.append(f'<p class="more">{text(_numbers(pick))}</p>')
    parts.append(f'<p class="name">{text(namer.name(record.candidate))}</p>')
    if pick.runner_up is not None:
        tie = "" if pick.shown else f" – {NO_DIFFERENCE}"
        parts.append(f'<p class="next">next: {text(namer.name(pick.runner_up.candidate))}{tie}</p>')
    return f'<div class="card">{"".join(parts)}</div>'


def _numbers(pick: Pick) -> str:
    """The numbers under the large one; what merely repeats the baseline is left out."""
    record, parts = pick.record, []
    if not record.is_baseline and (gain := record.value("speedup")):
        parts.append(f"{number('speedup', gain)}× the baseline")
    if (ppl := record.value("ppl")) is not None:
        change = record.value("ppl_delta_pct")
        shown = f" ({number('ppl_delta_pct', change)} %)" if change else ""
        parts.append(f"perplexity {ppl:,.2f}{shown}")
    if (kld := record.value("kld_mean")) is not None:
        parts.append(f"KLD {number('kld_mean', kld)}")
    return ", ".join(parts)


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """(mark, words) pairs; a mark is HTML of this file."""
    items = "".join(f"<li>{mark}<span>{text(words)}</span></li>" for mark, words in entries)
    return f'<ul class="legend">{items}</ul>'


def dot(tint: str = "currentColor", kind: str = "") -> str:
    """A round mark: filled, `open`, or `small`."""
    return f'<span class="dot {kind}" style="color:{text(tint)}"></span>'


def star() -> str:
    """The mark of a baseline."""
    return '<span class="star">★</span>'


def tint_entries(tints: Mapping[str, str]) -> list[tuple[str, str]]:
    """Legend entries of colours, none when there is only one."""
    return [(dot(tint), name) for name, tint in tints.items()] if len(tints) > 1 else []


def notes(sentences: Iterable[str]) -> str:
    """Sentences as a list."""
    return f'<ul class="notes">{"".join(f"<li>{text(s)}</li>" for s in sentences)}</ul>'
