"""A few seeded rounds of chaos: about fifteen faults. `make chaos` plays many more.

Only here, and in no other test, is waited for processes that are being killed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.round import Result, play
from tests.support.postgres import PostgresServer, binaries
from workers.contract.reports import RigKind
from workers.gpu.discover import discover_rigs

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def on_the_cores() -> None:
    """The scripted engine has no card, and would be found out on one."""
    if any(rig.kind is not RigKind.CPU for rig in discover_rigs()):
        pytest.skip("a machine with cards")


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """One that may be killed: no other test uses it."""
    pytest.importorskip("psycopg")
    found = binaries()
    if found is None:
        pytest.skip("no PostgreSQL server on this machine")
    made = PostgresServer(found)
    try:
        made.start()
        yield made
    finally:
        made.delete()


def assert_well(result: Result, faults: int) -> None:
    """Nothing lost, nothing twice, nobody left."""
    assert result.problems == []
    assert result.struck.total() >= faults


def test_a_sweep_on_a_small_disk(tmp_path: Path) -> None:
    assert_well(play(1, "disk", 7, tmp_path, None), faults=5)


def test_a_sweep_on_postgresql(tmp_path: Path, server: PostgresServer) -> None:
    assert_well(play(2, "postgres", 8, tmp_path, server), faults=5)
