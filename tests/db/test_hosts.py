"""Reports of hosts: kept whole by sweep, and by content for those who query."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import text

from db.database import Database
from tests.db.scenes import start_sweep
from tests.support.outcomes import BUILD, RIG
from workers.contract.reports import Capabilities, EngineReport, HostReport, ModelReport

REPORT = HostReport(
    host="tower",
    rigs=(RIG,),
    engines=(
        EngineReport(
            "embedded",
            "embedded",
            (BUILD, replace(BUILD, role="logits")),
            Capabilities("mainline", ("f16", "q8_0"), ("f16",), ("none",), {"n_max": "--n"}),
        ),
        EngineReport("broken", "llama_server", problem="it does not start"),
    ),
    models=(
        ModelReport("m.gguf", "/m.gguf", 5_000_000_000, "ab" * 32, {"layers": 30, "moe": False}),
        ModelReport("missing.gguf", problem="no such file"),
    ),
    warnings=("the governor is powersave",),
)


def rows(database: Database, table: str) -> int:
    """How many rows a table has."""
    with database.engine.connect() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_a_report_comes_back_equal(database: Database) -> None:
    sweep = start_sweep(database)
    database.hosts.record(sweep.id, REPORT)
    assert database.hosts.of(sweep.id) == (REPORT,)


def test_a_later_report_of_the_same_host_replaces_it(database: Database) -> None:
    sweep = start_sweep(database)
    database.hosts.record(sweep.id, REPORT)
    later = replace(REPORT, rigs=(replace(RIG, driver="590.0"),))
    database.hosts.record(sweep.id, later)
    assert database.hosts.of(sweep.id) == (later,)
    assert rows(database, "rigs") == 2  # the rig as it was stays known


def test_reports_of_several_hosts_stand_side_by_side(database: Database) -> None:
    sweep = start_sweep(database)
    for host in ("tower", "laptop"):
        database.hosts.record(sweep.id, replace(REPORT, host=host))
    assert [report.host for report in database.hosts.of(sweep.id)] == ["laptop", "tower"]


def test_what_was_found_before_is_not_listed_twice(database: Database) -> None:
    for key in ("one", "two"):
        database.hosts.record(start_sweep(database, key).id, REPORT)
    assert [rows(database, table) for table in ("rigs", "engines", "models")] == [1, 2, 1]
