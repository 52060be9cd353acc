"""What a verification found, on the pages that show a sweep."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.library import Library
from db.database import open_database
from db.rows import Driver
from db.states import ClaimVerdict
from db.verification_rows import ClaimRow, RunRow
from tests.dashboards.showing import shown


@pytest.fixture
def verified(demo: Path, tmp_path: Path) -> Iterator[Library]:
    """The demo, whose baseline of trial 1 kept its claim and whose trial 2 did not."""
    path = tmp_path / "verified.db"
    shutil.copy(demo, path)
    with open_database(str(path)) as database:
        (row,) = database.sweeps.list()
        made = database.verifications.start(
            row.id, Driver("here", 1, 0.0), 1, 4, [RunRow("cpu", 0, 0, 1, {})]
        )
        claims = (
            ClaimRow("cpu", 1, "agrees", ClaimVerdict.SURVIVED, "It is as fast as it was."),
            ClaimRow("cpu", 2, "agrees", ClaimVerdict.REFUTED, "It is 9 % <slower>."),
        )
        database.verifications.finish(made, claims)
    opened = Library.open(str(path), is_alive=lambda _driver: True)
    yield opened
    opened.close()


@pytest.mark.parametrize("url", ["/", "/front"])
def test_claims_are_counted_and_refuted_ones_told(verified: Library, url: str) -> None:
    text = shown(verified, url).text
    assert "of 2 claims about 2 candidates: 1 survived, 1 refuted" in text
    assert "trial 2: It is 9 % <slower>." in text


def test_a_sweep_that_was_not_verified_says_nothing(library: Library) -> None:
    assert "Verified afresh" not in shown(library, "/front").text


def test_the_table_marks_whom_a_claim_is_about(verified: Library) -> None:
    cells = [str(cell["children"]) for cell in shown(verified, "/front").all("Td")]
    (shot,) = verified.chosen(())
    in_table = {p.record.trial_id for g in shot.summary.groups for p in g.front.placed
                if p.is_member or p.record.is_baseline}  # fmt: skip
    assert any("verified" in cell for cell in cells) == (1 in in_table)
    assert any("refuted" in cell for cell in cells) == (2 in in_table)
