"""Markdown as a real parser reads it: whatever stands in a cell, tables stay tables."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.report.document import Column, Section, Table, Text
from orchestrator.analysis.report.formats.markdown import FORMAT
from orchestrator.analysis.report.make import Report, make_report
from tests.orchestrator.analysis.report.making import facts

markdown_it = pytest.importorskip("markdown_it", reason="no Markdown parser is installed")
COLUMNS = (Column("a", "first"), Column("b", "second"))
cells = st.text(st.characters(codec="utf-8"), max_size=20)


def tokens(text: str) -> list[Any]:
    parser = markdown_it.MarkdownIt("commonmark").enable("table")
    return list(parser.parse(text))


def report(*sections: Section) -> Report:
    return Report("title", (), "key", "name", "1", False, sections, (), ())


def shown(token: Any) -> str:
    """What a reader sees of an inline token; markup in it would be a child of another type."""
    assert {child.type for child in token.children} <= {"text", "text_special"}, token.content
    return "".join(child.content for child in token.children)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=3))
@example([("a|b", "<b>x</b>"), ("`x`", "*y* _z_ __w__ ~~q~~"), ("[q](u) ![i](u)", "\\| \\")])
@example([("&lt; &#42;", "https://example.org <mailto:x>"), ("# x", "- y\n- z")])
def test_a_cell_is_read_as_it_was_written(rows: list[tuple[str, str]]) -> None:
    table = Table("t", COLUMNS, tuple(rows))
    parsed = tokens(FORMAT.render(report(Section("s", "S", (table,)))))
    inline = [after for before, after in pairwise(parsed) if before.type in ("td_open", "th_open")]
    found = [" ".join(shown(token).split()) for token in inline]
    wanted = [_flat(cell) for cell in ("first", "second", *(c for row in rows for c in row))]
    assert found == wanted


def _flat(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


@given(cells)
@example("1. x")
@example("# x")
@example("- x")
@example("> x")
@example("--- ")
@example("    code")
def test_a_paragraph_stays_one(text: str) -> None:
    parsed = tokens(FORMAT.render(report(Section("s", "S", (Text(f"so: {text}"),)))))
    after = parsed[[t.content for t in parsed].index("S") + 2 :]
    assert [token.type for token in after] == ["paragraph_open", "inline", "paragraph_close"]


def test_a_whole_report_has_a_heading_for_each_section_and_all_of_its_tables() -> None:
    made = make_report(facts(), Redactor())
    parsed = tokens(FORMAT.render(made))
    tables = [b for s in made.sections for b in s.blocks if isinstance(b, Table)]
    assert sum(token.type == "table_open" for token in parsed) == len(tables)
    headings = [after.content for t, after in pairwise(parsed) if t.tag == "h2" and t.nesting == 1]
    assert headings == [section.title for section in made.sections]
