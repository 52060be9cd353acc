"""Prompt suites: what comes with the program, and what a user's file must be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.suites.errors import SuiteError
from workers.suites.load import BUILTIN_SUITES, Suite, load_suite

TWO: list[dict[str, Any]] = [{"id": "a", "text": "one"}, {"id": "b", "group": "g", "text": "two"}]


def write(path: Path, rows: Sequence[object], **how: Any) -> str:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row, **how) for row in rows)
    path.write_text(text, encoding="utf-8")
    return str(path)


def loaded(tmp_path: Path, *rows: object, **how: Any) -> Suite:
    return load_suite(write(tmp_path / "mine.jsonl", rows, **how))


@pytest.mark.parametrize("name", BUILTIN_SUITES)
def test_a_builtin_suite_is_licensed_described_and_varied(name: str) -> None:
    suite = load_suite(name)
    assert suite.name == name
    assert suite.licence == "Apache-2.0"
    assert suite.description
    assert len({prompt.text for prompt in suite.prompts}) == len(suite.prompts)
    assert len({prompt.group for prompt in suite.prompts}) >= 4


def test_the_builtin_suites_are_these() -> None:
    assert BUILTIN_SUITES == ("chat", "coding", "extraction", "long", "prose")


def test_coding_has_many_prompts_and_a_few_of_them_are_already_varied() -> None:
    suite = load_suite("coding")
    assert len(suite.prompts) >= 24
    assert len({prompt.group for prompt in suite.first(6)}) == 6


def test_no_prompt_speaks_one_model_s_template() -> None:
    texts = [prompt.text for name in BUILTIN_SUITES for prompt in load_suite(name).prompts]
    assert not [text for text in texts if "<|" in text or "[INST]" in text]


def test_long_prompts_are_long_and_differ_from_their_start() -> None:
    prompts = load_suite("long").prompts
    assert min(len(prompt.text) for prompt in prompts) > 3000
    assert len({prompt.text[:200] for prompt in prompts}) == len(prompts)


def test_the_hash_of_a_builtin_suite_is_the_same_everywhere() -> None:
    # A changed hash means that every stored speed was measured on other prompts.
    assert load_suite("long").hash == load_suite("builtin:long").hash
    assert load_suite("long").hash.startswith("d8a69a512fd7e0b1")


def test_a_file_of_one_s_own_needs_ids_and_texts_only(tmp_path: Path) -> None:
    suite = loaded(tmp_path, *TWO)
    assert suite.name == "mine"
    assert [(p.id, p.group, p.text) for p in suite.prompts] == [("a", "", "one"), ("b", "g", "two")]


def test_a_header_names_it(tmp_path: Path) -> None:
    suite = loaded(tmp_path, {"suite": "x", "license": "MIT", "description": "d"}, "", *TWO)
    assert (suite.name, suite.licence, suite.description) == ("x", "MIT", "d")


def test_the_hash_is_of_the_prompts_and_not_of_the_writing(tmp_path: Path) -> None:
    plain = loaded(tmp_path, *TWO).hash
    assert (
        loaded(tmp_path, {"suite": "x"}, "", *TWO, indent=None, separators=(" ,", " : ")).hash
        == plain
    )
    assert loaded(tmp_path, *reversed(TWO)).hash != plain
    assert loaded(tmp_path, TWO[0], {**TWO[1], "text": "two "}).hash != plain


def test_a_text_is_sent_as_it_stands(tmp_path: Path) -> None:
    text = "  \u2028 a line\r\n\tand a tab \U0001f600 "
    assert loaded(tmp_path, TWO[0], {"id": "c", "text": text}).prompts[1].text == text


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["{"], r"mine\.jsonl:1 is not JSON"),
        ([*TWO, "[1]"], r":3 is no JSON object"),
        (["plain text"], "is not JSON"),
        ([], "has 0 prompts; 2 are the least"),
        ([TWO[0]], "has 1 prompts; 2 are the least"),
        ([TWO[0], TWO[0]], r":2: the id 'a' is taken"),
        ([{"text": "x"}], "has no id"),
        ([{"id": " ", "text": "x"}], "has no id"),
        ([{"id": 7, "text": "x"}], "has no id"),
        ([{"id": "a"}], "text of 'a' is empty or missing"),
        ([{"id": "a", "text": ""}], "text of 'a' is empty or missing"),
        ([{"id": "a", "text": ["x"]}], "text of 'a' is empty or missing"),
        ([{"id": "a", "text": "\ud800"}], "holds half a character"),
        ([{"id": "a", "txt": "x"}], r"no key 'txt'\. Did you mean 'text'"),
        ([{"id": "a", "text": "x", "group": 1}], "group of 'a' is no text"),
        ([{"id": "a", "text": "x", "lead": -1}], "lead must be a number"),
        ([{"id": "a", "text": "x", "lead": True}], "lead must be a number"),
        ([{"suite": "x", "licens": "MIT"}, *TWO], r"Did you mean 'licens"),
        ([*TWO, {"suite": "x"}], r":3: a prompt has no key 'suite'"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, rows: list[object], said: str) -> None:
    with pytest.raises(SuiteError, match=said):
        loaded(tmp_path, *rows)


def test_binary_data_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SuiteError, match="is not UTF-8"):
        load_suite(str(tmp_path / "mine.jsonl"))


def test_a_misspelt_name_is_told_the_nearest() -> None:
    with pytest.raises(SuiteError, match="Did you mean 'coding'"):
        load_suite("codding")


def test_more_prompts_than_there_are_is_an_error_and_no_shorter_suite(tmp_path: Path) -> None:
    suite = loaded(tmp_path, *TWO)
    assert suite.first(None) == suite.prompts
    assert suite.first(1) == suite.prompts[:1]
    with pytest.raises(SuiteError, match="has 2 prompts, not 3"):
        suite.first(3)


@given(st.text(max_size=200))
def test_any_text_is_a_suite_or_one_sentence(tmp_path_factory: Any, content: str) -> None:
    path = tmp_path_factory.mktemp("suite") / "mine.jsonl"
    path.write_text(content, encoding="utf-8", newline="")
    with pytest.raises(SuiteError) as raised:
        load_suite(str(path))
    assert str(path) in str(raised.value)
