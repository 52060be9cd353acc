"""One self-contained HTML file of a sweep: opens offline, on a phone, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from dashboards.axis_figures import Part, parts
from dashboards.figures.front import front_figure
from dashboards.frames import frame
from dashboards.front_table import front_table
from dashboards.page_parts import (
    cards,
    dot,
    figure_block,
    legend,
    notes,
    star,
    text,
    tint_entries,
)
from orchestrator.analysis.recommend import speed_metric
from orchestrator.analysis.records import State
from orchestrator.analysis.summary import GroupSummary, Summary
from workers.contract.errors import OrchestrateError

HOW_TO_READ = (
    "Intervals are 95 % and come from repeated launches of the engine; perplexities are compared "
    "chunk by chunk on the same text. A candidate is off the front only when another one beats it "
    "significantly; tied means that no difference was shown, not that there is none."
)


def write_page(path: Path, summary: Summary) -> None:
    """Writes the page; the file appears whole or not at all. Raises OrchestrateError."""
    page = render(summary)
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(page, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise OrchestrateError(
            f"The page cannot be written to {path}: {error.strerror or error}.",
            "Name another file with --html.",
        ) from None


def render(summary: Summary) -> str:
    """The page as text; plotly.js is in it once."""
    from plotly.offline import get_plotlyjs

    title = text(summary.title)
    sections = "\n".join(
        _section(f"g{i}", group, summary) for i, group in enumerate(summary.groups)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{_asset('page.css')}</style>\n</head>\n<body>\n<main>\n"
        f"<header><h1>{title}</h1>\n{_meta(summary)}{_contents(summary)}</header>\n"
        f"{_warning(summary)}{sections}\n<footer><p>{text(HOW_TO_READ)}</p></footer>\n</main>\n"
        f"<script>{get_plotlyjs()}</script>\n<script>\n{_asset('page.js')}</script>\n"
        "</body>\n</html>\n"
    )


def _asset(name: str) -> str:
    return (resources.files("dashboards") / "assets" / name).read_text(encoding="utf-8")


def _meta(summary: Summary) -> str:
    engines = sorted({r.engine_label for r in summary.records if r.engine_label})
    rigs = sorted({record.rig for record in summary.records})
    parts = [f"rig {', '.join(rigs)}" if len(rigs) == 1 else f"rigs {', '.join(rigs)}"]
    parts += engines
    done = sum(record.state is State.COMPLETE for record in summary.records)
    parts.append(f"{done} of {len(summary.records)} candidates measured")
    return f'<p class="meta">{text(" · ".join(parts))}</p>\n' if summary.records else ""


def _contents(summary: Summary) -> str:
    if len(summary.groups) < 2:
        return ""
    links = (f'<a href="#g{i}">{text(g.title)}</a>' for i, g in enumerate(summary.groups))
    return f'<nav class="groups">{"".join(links)}</nav>\n'


def _warning(summary: Summary) -> str:
    if not summary.simulated:
        return ""
    return (
        '<p class="warning"><strong>Simulated.</strong> At least some of these numbers were '
        "replayed from a table, not measured here.</p>\n"
    )


def _section(key: str, group: GroupSummary, summary: Summary) -> str:
    several = len(summary.groups) > 1
    parts = [f'<section id="{key}">']
    parts += [f"<h2>{text(group.title)}</h2>"] if several else []
    parts += [f'<p class="headline">{text(group.headline)}</p>'] if group.headline else []
    if not group.front.placed:
        parts.append('<p class="headline">No candidate was measured to the end here.</p>')
    else:
        parts += _body(key, group)
    parts += ["<h3>Notes</h3>", notes(group.notes), "</section>"]
    return "\n".join(parts)


def _body(key: str, group: GroupSummary) -> Iterator[str]:
    data = frame(group)
    speed = speed_metric(group.front.objectives)
    yield cards(group.picks, group.namer, speed)
    figure = front_figure(data, group.front.objectives)
    yield "<h3>The front</h3>"
    marks = [(dot(), "on the front"), (dot(kind="open"), "tied: no difference shown")]
    marks += [(dot(kind="small"), "beaten"), (star(), "baseline")]
    yield legend([*tint_entries(figure.layout.meta["colours"]), *marks, *_not_drawn(group)])
    yield figure_block(f"{key}-front", figure, f"Front of {group.title}")
    yield front_table(group)
    for part in parts(group):
        yield from _part(key, part)


def _not_drawn(group: GroupSummary) -> list[tuple[str, str]]:
    counts = {
        "failed": sum(r.state is State.FAILED for r in group.records),
        "ruled out": sum(r.state is State.INFEASIBLE for r in group.records),
        "over a limit": group.over_limit,
    }
    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return [("", f"not drawn: {words}")] if words else []


def _part(key: str, part: Part) -> Iterator[str]:
    yield f"<h3>{text(part.title)}</h3>"
    yield f'<p class="hint">{text(part.hint)}</p>' if part.hint else ""
    yield legend(tint_entries(part.colours)) if len(part.colours) > 1 else ""
    yield '<div class="panels">'
    for panel in part.panels:
        block = figure_block(f"{key}-{panel.name}", panel.figure, panel.label)
        title = f"<h4>{text(panel.title)}</h4>" if len(part.panels) > 1 else ""
        yield f"<div>{title}{block}</div>"
    yield "</div>"
