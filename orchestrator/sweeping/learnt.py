"""What other rigs learnt: a rig that begins tries first what was on their fronts.

A front of one card is a good guess for another. It is a guess, though: at most a quarter of the
budget goes into it, and nothing is taken over but names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from db.database import Database
from db.rows import SweepRow
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from orchestrator.sweeping.classes import RigClass, listed
from orchestrator.sweeping.desk import Desk
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.space import Budget, Space

SHARE = 4  # at most the budget's fourth part
LATEST = 5  # sweeps that are looked at

Fronts = Mapping[tuple[int, str], Sequence[Candidate]]


def begin_with_fronts(
    database: Database,
    sweep: SweepRow,
    classes: Sequence[RigClass],
    desks: Mapping[str, Desk],
    note: Callable[[str], None],
) -> None:
    """Puts what was best on other rigs before each search that has just begun."""
    rows = Counter(trial.rig for trial in database.trials.list(sweep.id))
    most = sweep.space.budget.trials // SHARE
    begun = [one for one in classes if rows[one.name] <= len(one.plan.baselines) + most]
    if not begun or not most:
        return
    fronts = fronts_of(database, sweep.space)
    for one in begun:
        others = {where: found for where, found in fronts.items() if where != (sweep.id, one.name)}
        wanted = most_frequent(others)
        able = {candidate_of(assignment): assignment for assignment in one.plan.feasible}
        fitting = [able[candidate] for candidate in wanted if candidate in able]
        first = desks[one.name].search.begin_with(fitting, most)
        if first:
            rigs = listed(sorted({rig for _, rig in others}))
            what = "1 candidate that was" if first == 1 else f"{first} candidates that were"
            note(f"{one.name}: begins with {what} best on {rigs}.")


def fronts_of(database: Database, space: Space) -> Fronts:
    """By sweep and rig: what no other candidate beats, of the latest sweeps over an equal space."""
    equal = (row for row in database.sweeps.list() if _plain(row.space) == _plain(space))
    found: dict[tuple[int, str], list[Candidate]] = {}
    for row in islice(equal, LATEST):
        for group in summarise(collect(database, row), row.space).groups:
            where = found.setdefault((row.id, group.key.rig), [])
            where.extend(record.candidate for record in group.front.leaders)
    return {where: candidates for where, candidates in found.items() if candidates}


def most_frequent(fronts: Fronts) -> list[Candidate]:
    """Candidates of any front, those of most fronts first."""
    counts = Counter(candidate for found in fronts.values() for candidate in found)
    return [candidate for candidate, _ in counts.most_common()]


def _plain(space: Space) -> str:
    """Equal for spaces that differ in nothing but their budget."""
    return space.model_copy(update={"budget": Budget()}).key
