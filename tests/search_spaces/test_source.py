"""From YAML text to plain data with lines, and nothing but a SpaceError for what is not."""

from __future__ import annotations

import pytest

from search_spaces.errors import SpaceError
from search_spaces.source import MAX_BYTES, parse


def refused(text: str) -> SpaceError:
    with pytest.raises(SpaceError) as caught:
        parse(text, "my.yaml")
    assert caught.value.file == "my.yaml"
    return caught.value


def test_scalars_are_yaml_1_2() -> None:
    text = "[off, no, yes, on, true, null, 017, 0x10, 16_384, 1.5, 2e3, 1:30, '5', 2024-01-01]"
    assert parse(text, "").data == [
        *("off", "no", "yes", "on", True, None, 17, 16, 16384, 1.5, 2000.0, "1:30", "5"),
        "2024-01-01",
    ]


def test_a_date_that_is_none_is_a_text_too() -> None:
    assert parse("a: 2024-99-99", "").data == {"a": "2024-99-99"}


def test_a_character_may_be_escaped_as_json_does() -> None:
    assert parse('{"a\\ud83d\\ude00": "\\ud83d\\ude00 \\u00e9"}', "").data == {"a😀": "😀 é"}


def test_keys_are_texts() -> None:
    assert parse("{1: a, true: b, null: c, 1.5: d}", "").data == {
        "1": "a",
        "true": "b",
        "null": "c",
        "1.5": "d",
    }


def test_every_place_has_a_line() -> None:
    source = parse("# a comment\na:\n  b:\n    - 1\n    - {c: 2}\n", "")
    assert [source.line(p) for p in [(), ("a",), ("a", "b"), ("a", "b", 1, "c")]] == [2, 2, 3, 5]


def test_a_place_that_does_not_exist_has_the_line_of_what_is_around_it() -> None:
    assert parse("a: 1\nb:\n  c: 1\n", "").line(("b", "nowhere", 3)) == 2


@pytest.mark.parametrize("text", ["\ufeffa: 1\nb: 2\n", "a: 1\r\nb: 2\r\n", "---\na: 1\nb: 2\n..."])
def test_marks_and_line_ends_of_other_systems_are_read(text: str) -> None:
    assert parse(text, "").data == {"a": 1, "b": 2}


def test_an_anchor_can_be_used_again() -> None:
    assert parse("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x", "").data == {
        "a": [1, 2],
        "b": [1, 2],
        "c": 3,
        "d": 3,
    }


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\n\tb: 2", 2, "Indent with spaces, not tabs."),
        ("a: 1\nb: [1, 2", 2, "not valid YAML"),
        ("a: 'text", 1, "not valid YAML"),
        ("a: 1\na: 2", 2, "the key 'a' stands twice"),
        ("a: 1\nb: {c: 1, c: 2}", 2, "the key 'c' stands twice"),
        ("a: 1\nb: *nowhere", 2, "undefined alias"),
        ("a: 1\n--- \nb: 2", 2, "another document"),
        ("a: 1\n? [b, c]\n: 2", 2, "a key must be a plain text"),
        ("a: &x {b: 1}\nc:\n  <<: *x", 3, "merge keys are not supported. Write the keys out."),
        ("a: &x [*x]", 1, "nested more than 20 levels deep"),
        ("a: 1\nb: .nan", 2, "'.nan' is not a finite number"),
        ("a: 1\nb: -.inf", 2, "'-.inf' is not a finite number"),
        ("a: 1\nb: 1e400", 2, "'1e400' is not a finite number"),
        ("a: 1\nb: 1e15", 2, "'1e15' is not a finite number below 1e+15"),
        (f"a: 1\nb: {10**400}", 2, "is not a finite number"),
        (f"a: 1\nb: {'9' * 5000}", 2, "is not a valid int"),
        (f"a: 1\nb: 0x{'f' * 5000}", 2, "is not a finite number"),
        ("a: 1\nb: !!int abc", 2, "'abc' is not a valid int"),
        ("a: 1\nb: !!int ''", 2, "'' is not a valid int"),
        ("a: 1\nb: !!bool maybe", 2, "'maybe' is not a valid bool"),
        ("a: 1\nb: !!float x", 2, "'x' is not a valid float"),
        ("a: 1\nb: !!binary aGk=", 2, "binary is not plain data"),
        ("a: 1\nb: !!set {c, d}", 2, "set is not plain data"),
        ("a: 1\nb: !!omap [c: 1]", 2, "omap is not plain data"),
        ("a: 1\nb: !!python/name:os.system x", 2, "python/name:os.system"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]", 2, "is not plain data"),
        ("a: 1\nb: !mine x", 2, "!mine"),
        ('a: 1\nb: "\\ud800"', 2, "is not Unicode text"),
        ('a: 1\n"\\udfff": 2', 2, "is not Unicode text"),
        ("a: 1\nb: \x07", None, "not valid YAML"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_at_its_line(
    text: str, line: int | None, words: str
) -> None:
    error = refused(text)
    assert words in str(error)
    assert error.line == line


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "\ufeff"])
def test_an_empty_file_says_how_to_start(text: str) -> None:
    error = refused(text)
    assert error.message == "the file is empty."
    assert error.hint == "Start with name: and objectives:."


def test_a_bomb_of_aliases_is_counted_not_followed() -> None:
    levels = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 18)]
    assert "holds more than" in refused("\n".join(levels)).message


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_depth_is_refused_before_it_costs_the_stack(opening: str) -> None:
    assert "levels deep" in refused(opening * 500).message


def test_a_file_of_megabytes_is_refused_before_it_is_parsed() -> None:
    assert refused("x" * (MAX_BYTES + 1)).message == f"the file is larger than {MAX_BYTES:,} bytes."
