"""A label tells a build's age, or that it does not tell it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.known_bugs.builds import LEAST_BUILD, build_number, release_of


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("llama-server 0.5.0-dev (build 11312, commit 0c1e57098)", 11312),
        ("llama-server 9235 (d14ce3dab)", 9235),
        ("llama-server version: 10026 (8b00fe115)", 10026),
        ("llama-server 0.4.6-dev (build 11795, commit 58f7536b3-dirty)", 11795),
        ("b11434", 11434),
        ("b10018-1.2.0", 10018),
        ("xllamacpp 2026.10.11549", 11549),
    ],
)
def test_a_number_is_read_however_the_build_says_it(label: str, number: int) -> None:
    assert build_number(label) == number


@pytest.mark.parametrize(
    "label",
    [
        "llama-server 0.6.0-dev (build 0, commit unknown)",  # built outside of git
        "llama-server 0.4.1-dev (build 1, commit dfe4516)",  # built from a shallow clone
        "llama-server 1 (9fcaed7)",
        "llama-server unknown version",
        "llama-cpp-python 0.3.36",
        "turbo 2026-05-04 (some day)",
        "",
    ],
)
def test_a_number_that_counts_nothing_is_none(label: str) -> None:
    assert build_number(label) is None


@given(st.text())
def test_any_label_has_a_number_or_none(label: str) -> None:
    number = build_number(label)

    assert number is None or number >= LEAST_BUILD


@given(st.integers(LEAST_BUILD, 9_999_999), st.text("0123456789abcdef", min_size=7, max_size=9))
def test_both_forms_of_the_version_line_say_the_same(number: int, commit: str) -> None:
    assert build_number(f"0.5.0-dev (build {number}, commit {commit})") == number
    assert build_number(f"{number} ({commit})") == number


@pytest.mark.parametrize(
    ("label", "release"),
    [
        ("llama-server 0.4.6-dev (build 11795, commit 58f7536b3)", (0, 4, 6)),
        ("v0.4.4", (0, 4, 4)),
        ("llama-server 9235 (d14ce3dab)", None),
        ("10.20", None),
    ],
)
def test_forks_count_releases(label: str, release: tuple[int, ...] | None) -> None:
    assert release_of(label) == release
