"""The front's table: what stands in a cell, and what under the table."""

from __future__ import annotations

import dataclasses

import pytest

from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary, summarise
from orchestrator.analysis.words import Namer
from orchestrator.cli.front_table import FrontTable, front_table
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import blurred
from tests.orchestrator.sweeping.spaces import make_space
from workers.contract.outcome import Estimate
from workers.gates.registry import all_gates
from workers.statistics.flags import describe

SLOW = Candidate(model="m", kv_k="f16", kv_v="f16")
FAST = Candidate(model="m", kv_k="q8_0", kv_v="q8_0")


def tabled(*records: Measured, width: int = 200) -> FrontTable:
    """The table of a group with these records."""
    group: GroupSummary = summarise(records, make_space()).groups[0]
    return front_table(group, Namer.of(r.candidate for r in records), width)


def column(front: FrontTable, head: str) -> list[str]:
    """The cells below a head."""
    found = next(column for column in front.table.columns if column.header == head)
    return [str(cell) for cell in found.cells]


def test_half_an_interval_has_the_digits_of_its_value() -> None:
    fast = blurred(1, 0.5, FAST, tok_s=18.46, ppl=10.0)
    assert column(tabled(fast), "tok/s") == ["18.5 ±9.2"]


def test_an_interval_without_width_is_left_away() -> None:
    exactly = {"tok_s": Estimate("tok_s", 20.0, 20.0, 20.0), "ppl": Estimate("ppl", 10.0)}
    record = dataclasses.replace(blurred(1, 0.1, FAST), estimates=exactly)
    assert column(tabled(record), "tok/s") == ["20.0"]


def test_a_perplexitys_own_interval_is_not_shown() -> None:
    assert column(tabled(blurred(1, 0.1, FAST, tok_s=20.0, ppl=10.0)), "PPL") == ["10.0000"]


def test_flags_are_numbered_and_explained_below() -> None:
    records = [
        dataclasses.replace(
            blurred(1, 0.01, FAST, tok_s=40.0, ppl=10.0), flags=("single_launch", "no_repeats")
        ),
        dataclasses.replace(
            blurred(2, 0.01, SLOW, tok_s=20.0, ppl=9.0), flags=("quiet_host", "single_launch")
        ),
    ]
    front = tabled(*records)
    assert [cell.partition(" [")[2] for cell in column(front, "place")] == ["1] [2]", "1] [3]"]
    assert front.notes == (
        "[1] one launch only: how far launches differ is not known",
        "[2] each prompt was timed once: how far passes differ is not known",
        "[3] other programs used the processors while this was measured",
    )


def test_a_narrow_table_keeps_its_goals_and_says_what_it_lost() -> None:
    record = blurred(1, 0.01, FAST, tok_s=40.0, ppl=10.0, mem_peak_mib=900.0, acceptance=0.5)
    front = tabled(record, width=80)
    heads = [column.header for column in front.table.columns]
    assert heads[:4] == ["key", "candidate", "tok/s", "PPL"]
    assert "accepted" not in heads
    assert front.notes[-1].startswith("Not shown, for lack of room: ")
    assert front.notes[-1].endswith("accepted.")


@pytest.mark.parametrize("gate", [gate.name for gate in all_gates() if not gate.fatal])
def test_a_gate_that_flags_has_words_of_its_own(gate: str) -> None:
    """A gate's name says what is right: as a flag it would say the opposite of what happened."""
    assert describe(gate) != gate.replace("_", " ")
