"""Summaries for the pages' tests, and a reader of what a page contains."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import Summary, summarise
from tests.orchestrator.analysis.synthetic import space, sweep


@cache
def losing() -> Summary:
    """The demo on a CPU where speculation loses."""
    return summarise(sweep(), space())


@cache
def paying() -> Summary:
    """The demo on a card where it pays."""
    return summarise(sweep("rtx5090", base=180, gain=0.9), space())


def renamed(model: str) -> Summary:
    """The demo with one model, of this name."""
    records = [r for r in sweep() if r.candidate.model.endswith("Q4_1")]
    return summarise([_named(record, model) for record in records], space())


def _named(record: Measured, model: str) -> Measured:
    return replace(record, candidate=replace(record.candidate, model=model), engine_label=model)


class Page(HTMLParser):
    """The elements of a page, with their attributes, and its text outside of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._inside):
            self.words.append(data)

    @property
    def text(self) -> str:
        """Everything a reader sees outside of figures."""
        return re.sub(r"\s+", " ", "".join(self.words))


def figures(html: str) -> dict[str, Any]:
    """The figures' data in a page, by the id of their script."""
    found = re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', html, re.S)
    return {name: json.loads(data) for name, data in found}
