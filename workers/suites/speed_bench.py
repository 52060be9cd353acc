"""SPEED-Bench as a prompt suite, for who has it: `speed-bench:PATH`. Never downloaded from here.

NVIDIA's benchmark for speculative decoding (arXiv 2604.09557, huggingface.co/datasets/nvidia/
SPEED-Bench) comes under NVIDIA's Evaluation Dataset License, and most of its prompts must be
fetched from their own sources first. PATH is what its two tools for that write: Parquet with
`turns` (specdec_bench's prepare_data.py), or JSON lines with `messages` (Nemo-Skills' prepare.py);
or a folder of such files. Both name `question_id` and `category`. The category is the class; only
the first turn of a conversation is asked, since what follows depends on the answer.
"""

from __future__ import annotations

import importlib
import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workers.suites.errors import SuiteError

PREFIX = "speed-bench:"
LICENCE = "NVIDIA Evaluation Dataset License (see the dataset's License.pdf)"
_PLACEHOLDER = "FULL BENCHMARK DATA SHOULD BE FETCHED"
_PREPARE = "Prepare it with specdec_bench's prepare_data.py or with Nemo-Skills' prepare.py."


def read_speed_bench(path: Path) -> list[tuple[str, str, str]]:
    """(id, category, first turn) of each question, the categories taking turns.

    So the first few prompts are of different categories. Raises SuiteError, which names the file,
    for what is no SPEED-Bench file and for one whose prompts were not fetched yet.
    """
    files = sorted(_files(path)) if path.is_dir() else [path]
    if not files:
        raise SuiteError(f"{path} holds no .parquet and no .jsonl file.", _PREPARE)
    by_category: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    seen: set[str] = set()
    for file in files:
        for number, row in enumerate(_rows(file), start=1):
            question = _question(row, f"{file}, question {number}")
            if question[0] in seen:
                raise SuiteError(
                    f"{file}: the question {question[0]} is there twice.",
                    "Name one file, or a folder that holds one configuration.",
                )
            seen.add(question[0])
            by_category[question[1]].append(question)
    turns = itertools.zip_longest(*by_category.values())
    return [question for turn in turns for question in turn if question is not None]


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.suffix in (".parquet", ".jsonl"))


def _rows(file: Path) -> Iterable[Mapping[str, Any]]:
    try:
        if file.suffix == ".parquet":
            return _parquet(file)
        lines = file.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise SuiteError(f"{file} cannot be read: {error.strerror}.", "Check the path.") from None
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{file} is not what its name says: {error}.", _PREPARE) from None


def _parquet(file: Path) -> list[Mapping[str, Any]]:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SuiteError(
            f"{file} is Parquet, which needs the package pyarrow.",
            "pip install pyarrow, or prepare the dataset as JSON lines.",
        ) from None
    # Its own errors are ValueError (not Parquet) and OSError (cannot be read).
    return list(parquet.read_table(file).to_pylist())


def _question(row: Any, place: str) -> tuple[str, str, str]:
    if not isinstance(row, Mapping):
        raise SuiteError(f"{place} is no object.", _PREPARE)
    name, category, text = row.get("question_id"), row.get("category"), _first_turn(row)
    if not all(isinstance(part, str) and part for part in (name, category, text)):
        raise SuiteError(
            f"{place} lacks a question_id, a category, or a first turn.",
            "This is not SPEED-Bench as it is published. " + _PREPARE,
        )
    if text.startswith(_PLACEHOLDER):
        raise SuiteError(f"{place}: the prompt {name} was not fetched yet.", _PREPARE)
    return str(name), str(category), text


def _first_turn(row: Mapping[str, Any]) -> Any:
    turns = row.get("turns")
    if isinstance(turns, list) and turns:
        return turns[0]
    messages = row.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[0], Mapping):
        return messages[0].get("content")
    return None
