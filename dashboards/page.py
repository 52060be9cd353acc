"""What a view is given: what the reader asked for, and the sweeps that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dashboards.library import Library
from dashboards.snapshot import Snapshot
from dashboards.urls import State
from orchestrator.analysis.records import Measured


@dataclass(frozen=True)
class Page:
    """One rendering of one view."""

    state: State
    library: Library

    @cached_property
    def chosen(self) -> tuple[Snapshot, ...]:
        """The sweeps of the page; none only where the database holds none, and no view is asked."""
        return self.library.chosen(self.state.sweep)

    @property
    def main(self) -> Snapshot:
        """The first of them."""
        return self.chosen[0]

    @property
    def several(self) -> bool:
        """Whether more than one sweep is shown."""
        return len(self.chosen) > 1

    def values(self, column: str) -> list[Any]:
        """What occurs in a column of the chosen sweeps, in order of first use."""
        return list(dict.fromkeys(v for shot in self.chosen for v in shot.settings.get(column, ())))

    def passes(self, record: Measured) -> bool:
        """Whether a record passes the filters on settings."""
        wanted = self.state
        c = record.candidate
        return (
            (not wanted.rig or record.rig in wanted.rig)
            and (not wanted.engine or c.engine in wanted.engine)
            and (not wanted.model or c.model in wanted.model)
            and (not wanted.ctx or str(c.ctx) in wanted.ctx)
        )
