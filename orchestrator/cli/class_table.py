"""How fast the picks are on each class of prompts: a table under the front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.analysis.classes import Classes
from orchestrator.analysis.summary import GroupSummary
from orchestrator.cli.front_table import cell
from orchestrator.cli.tables import table

if TYPE_CHECKING:
    from rich.table import Table


def class_table(group: GroupSummary, classes: Classes) -> Table | None:
    """tok/s over all prompts and over each class, a column for each pick and for the baseline.

    The columns have the names by which `orchestrate export` knows the picks; a baseline is shown
    where it is the only one. None where all prompts are of one class, or nothing was picked.
    """
    if not classes or not group.picks:
        return None
    plain = group.baselines if len(group.baselines) == 1 else ()
    named = [(pick.key, pick.record) for pick in group.picks] + [("baseline", r) for r in plain]
    records = {record.trial_id: record for _, record in named}
    names = {trial: [key for key, r in named if r.trial_id == trial] for trial in records}
    rows = [["all", *(cell(record, "tok_s") for record in records.values())]]
    for name, own in classes.items():
        rows.append(
            [name, *(cell(own[trial], "tok_s") if trial in own else "–" for trial in records)]
        )
    heads = ["tok/s by class", *(f">{' = '.join(keys)}" for keys in names.values())]
    return table("", heads, rows)
