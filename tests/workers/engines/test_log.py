"""A log as text: without escapes, and not larger than it may be."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engines import log
from workers.engines.log import clean, last_line, read_log, tail


def test_colours_are_removed() -> None:
    assert clean("\x1b[31merror\x1b[0m: no\r\n") == "error: no\n"


def test_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read_log(tmp_path / "nothing") == ""


def test_bytes_that_are_no_text_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"before \xff\xfe after")
    assert read_log(path).startswith("before ")
    assert read_log(path).endswith(" after")


def test_a_huge_log_keeps_both_its_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_HEAD_BYTES", 10)
    monkeypatch.setattr(log, "_TAIL_BYTES", 10)
    path = tmp_path / "log"
    path.write_text("the start " + "x" * 1000 + "   the end")
    assert read_log(path) == "the start \n[1000 bytes left out]\n   the end"


def test_the_tail_has_no_empty_lines() -> None:
    assert tail("one\n\ntwo\n  \nthree\n\n", lines=2) == "two\nthree"


def test_the_last_line_says_something() -> None:
    assert last_line("reason\n\n  \n") == "reason"
    assert last_line("") == ""


@given(st.text())
def test_cleaning_is_done_once(text: str) -> None:
    assert "\r" not in clean(text)
    assert len(clean(text)) <= len(text)
