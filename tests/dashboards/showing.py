"""A page as the dashboard would show it, and what stands in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dashboards.app import render
from dashboards.library import Library
from dashboards.urls import read


@dataclass(frozen=True)
class Shown:
    """The components of one page as plain data."""

    controls: Any
    body: Any

    @property
    def text(self) -> str:
        """Everything that is said in the body, in order."""
        return " ".join(words(self.body))

    def all(self, kind: str) -> list[dict[str, Any]]:
        """The properties of every component of a kind (Graph, Link, Pre, Dropdown)."""
        return [node["props"] for node in nodes([self.controls, self.body]) if node["type"] == kind]

    def figure(self, name: str) -> dict[str, Any]:
        """The figure of that name."""
        found = [g["figure"] for g in self.all("Graph") if g["id"]["name"] == name]
        assert found, f"there is no figure {name}"
        return found[0]  # type: ignore[no-any-return]


def shown(library: Library, url: str) -> Shown:
    """What the dashboard answers to an address."""
    from plotly.utils import PlotlyJSONEncoder

    path, _, search = url.partition("?")
    controls, body = render(read(path, search), library)
    plain = json.loads(json.dumps([controls, body], cls=PlotlyJSONEncoder))
    return Shown(*plain)


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every component in a tree."""
    if isinstance(tree, list):
        for one in tree:
            yield from nodes(one)
    elif isinstance(tree, dict) and "props" in tree:
        yield tree
        yield from nodes(tree["props"].get("children"))


def words(tree: Any) -> Iterator[str]:
    """Every text in a tree."""
    if isinstance(tree, list):
        for one in tree:
            yield from words(one)
    elif isinstance(tree, dict) and "props" in tree:
        yield from words(tree["props"].get("children"))
    elif tree is not None and not isinstance(tree, dict):
        yield str(tree)
