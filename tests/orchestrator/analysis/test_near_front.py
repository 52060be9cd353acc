"""A sweep looked at closely near its fronts only, against the same one looked at as a whole."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.database import Database, open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.near_front import collect_near
from orchestrator.analysis.outline import outline
from orchestrator.analysis.summary import summarise

DEMO = Path(__file__).parents[2] / "data" / "demo_sweep.db.xz"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("near") / "demo.db"
    with lzma.open(DEMO) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    with open_database(str(path)) as opened:
        yield opened


def test_an_outline_holds_every_ended_trial_with_its_estimates(database: Database) -> None:
    (row,) = database.sweeps.list()
    whole = {record.trial_id: record for record in collect(database, row)}
    bare = outline(database, row).records
    assert bare.keys() == whole.keys()
    for trial_id, record in bare.items():
        closely = whole[trial_id]
        assert record.candidate == closely.candidate
        assert record.baseline_id == closely.baseline_id
        assert record.estimates.keys() == closely.estimates.keys()
        assert record.value("speedup") == pytest.approx(closely.value("speedup"), rel=0.02)


def test_an_outline_that_is_up_to_date_stays_as_it_is(database: Database) -> None:
    (row,) = database.sweeps.list()
    first = outline(database, row)
    assert outline(database, row, first) == first


def test_no_member_of_the_front_is_left_out(database: Database) -> None:
    (row,) = database.sweeps.list()
    found = collect_near(database, row)
    members = {
        record.trial_id
        for group in summarise(collect(database, row), row.space).groups
        for record in group.front.members
    }
    assert members <= {record.trial_id for record in found.near}
    assert {r.trial_id for r in (*found.near, *found.far)} == found.whole.records.keys()
