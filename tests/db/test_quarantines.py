"""Rigs that are left out are told until their sweep runs again."""

from __future__ import annotations

from db.database import Database
from tests.db.scenes import start_sweep


def test_a_rig_is_left_out_until_it_is_lifted(database: Database) -> None:
    sweep = start_sweep(database)
    database.quarantines.begin(sweep.id, "a", "Rig a is left out.")
    database.quarantines.begin(sweep.id, "b", "Rig b is left out.")
    assert [(r.rig, r.reason) for r in database.quarantines.of(sweep.id)] == [
        ("a", "Rig a is left out."),
        ("b", "Rig b is left out."),
    ]
    database.quarantines.lift(sweep.id)
    assert database.quarantines.of(sweep.id) == ()


def test_sweeps_do_not_mix(database: Database) -> None:
    one, other = start_sweep(database, "one"), start_sweep(database, "other")
    database.quarantines.begin(one.id, "a", "Rig a is left out.")
    database.quarantines.lift(other.id)
    assert database.quarantines.of(other.id) == ()
    assert len(database.quarantines.of(one.id)) == 1
