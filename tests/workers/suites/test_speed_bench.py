"""SPEED-Bench: files as its own tools write them, with made-up questions."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from workers.suites.errors import SuiteError
from workers.suites.load import load_suite


def question(number: int, category: str, **other: Any) -> dict[str, Any]:
    """One row, as the dataset card names its columns."""
    return {
        "question_id": f"q{number}",
        "category": category,
        "sub_category": "x",
        "turns": [f"question {number}", "and then?"],
        "source": "s",
        "src_id": "0",
        "difficulty": "",
        "multiturn": True,
        **other,
    }


ROWS = [question(1, "coding"), question(2, "coding"), question(3, "math"), question(4, "rag")]


def written(path: Path, rows: list[Any]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return f"speed-bench:{path}"


def test_categories_are_classes_and_take_turns(tmp_path: Path) -> None:
    suite = load_suite(written(tmp_path / "qualitative.jsonl", ROWS))

    assert [(p.id, p.group) for p in suite.prompts] == [
        ("q1", "coding"),
        ("q3", "math"),
        ("q4", "rag"),
        ("q2", "coding"),
    ]
    assert suite.name == "speed-bench"
    assert "NVIDIA" in suite.licence


def test_the_first_turn_is_asked_as_it_stands(tmp_path: Path) -> None:
    suite = load_suite(written(tmp_path / "a.jsonl", ROWS))

    assert suite.prompts[0].text == "question 1"


def test_messages_are_the_same_suite_as_turns(tmp_path: Path) -> None:
    rows = [dict(row) for row in ROWS]
    for row in rows:
        row["messages"] = [{"role": "user", "content": turn} for turn in row.pop("turns")]

    turns, messages = written(tmp_path / "a.jsonl", ROWS), written(tmp_path / "b.jsonl", rows)

    assert load_suite(turns).hash == load_suite(messages).hash


def test_parquet_is_the_same_suite(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = importlib.import_module("pyarrow").Table.from_pylist(ROWS)
    (tmp_path / "speed" / "qualitative").mkdir(parents=True)
    parquet.write_table(table, tmp_path / "speed" / "qualitative" / "test.parquet")

    suite = load_suite(f"speed-bench:{tmp_path / 'speed'}")

    assert suite.hash == load_suite(written(tmp_path / "a.jsonl", ROWS)).hash


def test_without_pyarrow_parquet_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    (tmp_path / "test.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr("workers.suites.speed_bench.importlib.import_module", missing)

    with pytest.raises(SuiteError, match="pyarrow"):
        load_suite(f"speed-bench:{tmp_path / 'test.parquet'}")


PLACEHOLDER = "FULL BENCHMARK DATA SHOULD BE FETCHED FROM THE SOURCE USING SPECDEC_BENCH"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([*ROWS, question(5, "math", turns=[PLACEHOLDER])], "q5 was not fetched"),
        ([*ROWS, question(1, "math")], "q1 is there twice"),
        ([*ROWS, question(5, "math", turns=[])], "question 5 lacks"),
        ([*ROWS, question(5, "math", turns=None)], "question 5 lacks"),
        ([*ROWS, question(5, "", turns=["a"])], "question 5 lacks"),
        ([*ROWS, {"id": "mine", "text": "one"}], "question 5 lacks"),
        ([*ROWS, [1]], "question 5 is no object"),
        ([], "0 prompts"),
    ],
)
def test_what_is_not_speed_bench_is_named(rows: list[Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=says):
        load_suite(written(tmp_path / "a.jsonl", rows))


@pytest.mark.parametrize("text", ["{", "\x00", "[" * 100_000])
def test_what_is_no_json_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(text)

    with pytest.raises(SuiteError, match=r"a\.jsonl"):
        load_suite(f"speed-bench:{tmp_path / 'a.jsonl'}")


@pytest.mark.parametrize("place", ["nowhere.jsonl", "."])
def test_nothing_there_is_said(place: str, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"cannot be read|holds no"):
        load_suite(f"speed-bench:{tmp_path / place}")
