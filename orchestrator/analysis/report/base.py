"""What a section is. One file each in `sections/`, found by the registry."""

from __future__ import annotations

from typing import Protocol

from orchestrator.analysis.report.document import Block
from orchestrator.analysis.report.facts import Facts


class NothingToShow(Exception):  # noqa: N818 - not an error: a section says why it is left out
    """This sweep has nothing for a section; the message says why, in one sentence."""


class SectionMaker(Protocol):
    """`name` is the section's stable key, `order` its place: smaller ones come first."""

    name: str
    title: str
    order: int

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """The section's content. Raises NothingToShow."""
        ...
