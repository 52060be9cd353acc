"""Records as a table."""

from __future__ import annotations

import pytest

from dashboards.frames import frame
from tests.dashboards.pages import losing, paying

GROUP = losing().groups[0]
DATA = frame(GROUP)


def test_every_record_is_a_row_whatever_its_state() -> None:
    assert len(DATA) == len(GROUP.records) == 96
    assert set(DATA["state"]) == {"complete", "failed", "infeasible"}


def test_only_contenders_have_a_level() -> None:
    assert set(DATA[DATA["state"] != "complete"]["level"]) == {""}
    assert set(DATA["level"]) == {"", "front", "dominated"}


def test_ties_are_told_from_the_front() -> None:
    assert {"front", "tied", "dominated"} <= set(frame(paying().groups[0])["level"])


def test_no_speculation_is_a_draft_of_length_zero() -> None:
    assert set(DATA[~DATA["drafts"]]["n_max"]) == {0}


def test_missing_numbers_are_nan_in_float_columns() -> None:
    assert DATA["kld_mean"].dtype == float
    assert DATA["kld_mean"].isna().all()


def test_a_perplexitys_interval_is_that_of_its_change() -> None:
    row = DATA[(DATA["kv"] == "q4_0/q4_0") & (DATA["state"] == "complete")].iloc[0]
    base = row["ppl"] / (1 + row["ppl_delta_pct"] / 100)
    assert row["ppl_low"] == pytest.approx(base * (1 + row["ppl_delta_pct_low"] / 100))


def test_picks_are_named_on_their_rows() -> None:
    assert sum("Best balance" in picks for picks in DATA["picks"]) == 1
