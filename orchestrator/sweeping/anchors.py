"""Anchors: a rig's baseline measured again on a schedule, to see whether the rig itself drifts.

An anchor is a trial of its own, on memo keys of its own: what was measured first stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from db.rows import TrialRow
from orchestrator.analysis.drift import change_between, percent
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.trial import OpenTrial, Standing
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Drift
from workers.contract.memo import again
from workers.statistics.spread import Spread


@dataclass
class Anchors:
    """One rig's schedule: a function of what is recorded, so that it survives a kill.

    `measured` counts the speeds that this sweep measured on the rig, `opened` its anchors;
    `name` is unique to sweep and rig. `candidate` is the baseline that was chosen.
    """

    rule: Drift = field(default_factory=Drift)
    name: str = ""
    measured: int = 0
    opened: int = 0
    candidate: Candidate | None = None

    def take_up(self, rows: Iterable[TrialRow], delivered: Iterable[str]) -> None:
        """Goes on from the rig's anchors so far, and the speeds that jobs brought."""
        mine = list(rows)
        own = {key for row in mine for key in row.memo.values()}
        self.opened = len(mine)
        self.measured = len(set(delivered) - own)
        self.candidate = mine[0].candidate if mine else None

    def due(self, at_end: bool) -> bool:
        """Whether one is due now. At the end there is a last one, unless one was just made."""
        every = self.rule.every
        if every is None:
            return False
        wanted, since = divmod(self.measured, every)
        return self.opened < wanted + (at_end and 2 * since >= every)

    def choose(self, baselines: Iterable[Standing]) -> Standing | None:
        """The baseline to measure again: always the same one, the first that was measured."""
        able = [b for b in baselines if b.ended and b.fault is None and Facet.THROUGHPUT in b.memo]
        if self.candidate is not None:
            able = [b for b in able if b.candidate == self.candidate]
        return able[0] if able else None

    def memo(self, standing: Standing) -> dict[Facet, str]:
        """Where the next anchor's numbers will be."""
        key = again(standing.memo[Facet.THROUGHPUT], f"anchor/{self.name}/{self.opened}")
        return {Facet.THROUGHPUT: key}


def what_it_shows(
    first: Standing | None, anchor: OpenTrial, ledger: Ledger, hardware: str
) -> str | None:
    """How an anchor that was just measured compares with the first measurement."""
    if first is None:
        return None
    before, after = (
        ledger.samples.get(memo.get(Facet.THROUGHPUT, ""), ()) for memo in (first.memo, anchor.memo)
    )
    spread = ledger.spread(hardware)
    change = change_between(before, after, Spread(*spread) if spread else None)
    return None if change is None else f"the baseline again: {percent(change)} than at first."
