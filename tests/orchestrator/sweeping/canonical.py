"""A finished sweep as facts that do not depend on when its driver was killed."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

Told = tuple[str, tuple[float, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Facts:
    """Trials by rig and candidate, with what the study was told; how often each key was measured.

    `anchors` are the baselines measured again, by rig, candidate and state.

    `open` counts what never ended: jobs, trials, and trials of the study.
    """

    trials: dict[tuple[str, str], tuple[object, ...]]
    anchors: Counter[tuple[str, str, str]]
    deliveries: Counter[str]
    open: int


def facts(path: Path) -> Facts:
    """Read with nothing but SQL, so that no code of ours can hide what is wrong."""
    with closing(sqlite3.connect(path)) as database:
        told = _told(database)
        trials = {}
        for rig, number, key, *rest, told_to_study, flags in database.execute(_TRIALS):
            of_study = told.pop((rig, number), None)
            if of_study is None or of_study[0] != "FAIL":  # a forgotten one may come again
                assert (rig, key) not in trials, f"{key} was tried twice on {rig}"
                told_to_study = bool(told_to_study) or number is None
                trials[rig, key] = (*rest, told_to_study, tuple(json.loads(flags)), of_study)
        assert {state for state, *_ in told.values()} <= {"FAIL"}, "told without a record"
        (unended,) = database.execute(_OPEN).fetchone()
        delivered = database.execute("SELECT memo_key FROM job_facets WHERE position IS NOT NULL")
        anchors = Counter(database.execute(_ANCHORS).fetchall())
        return Facts(trials, anchors, Counter(key for (key,) in delivered), unended)


def measured(path: Path) -> set[str]:
    """The memo keys of which a measurement is recorded."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT memo_key FROM job_facets WHERE position IS NOT NULL")
        return {key for (key,) in rows}


_TRIALS = """
SELECT t.rig, t.number, t.asked_key, t.role, t.state, t.effective_key, origin.asked_key, f.kind,
       t.told, t.flags
FROM sweep_trials t
LEFT JOIN sweep_trials origin ON origin.id = t.same_as
LEFT JOIN failures f ON f.job_id = t.failed_by
WHERE t.role <> 'anchor'
"""
_ANCHORS = "SELECT rig, asked_key, state FROM sweep_trials WHERE role = 'anchor'"
_OPEN = """
SELECT (SELECT count(*) FROM jobs WHERE state = 'running')
     + (SELECT count(*) FROM sweep_trials WHERE state = 'waiting')
     + (SELECT count(*) FROM trials WHERE state IN ('RUNNING', 'WAITING'))
"""


def _told(database: sqlite3.Connection) -> dict[tuple[str, int], Told]:
    """The study's side: state, values in order, and attributes (constraints among them)."""
    found: dict[tuple[str, int], Told] = {}
    trials = database.execute(
        "SELECT t.trial_id, s.study_name, t.number, t.state FROM trials t JOIN studies s"
        " ON s.study_id = t.study_id"
    ).fetchall()
    for trial, study, number, state in trials:
        values = database.execute(
            "SELECT value FROM trial_values WHERE trial_id = ? ORDER BY objective", (trial,)
        )
        attributes = database.execute(
            "SELECT key, value_json FROM trial_system_attributes WHERE trial_id = ?1 UNION"
            " SELECT key, value_json FROM trial_user_attributes WHERE trial_id = ?1 ORDER BY 1",
            (trial,),
        )
        rounded = tuple(round(value, 6) for (value,) in values)
        found[study.rsplit("/", 1)[1], number] = (state, rounded, tuple(attributes))
    return found
