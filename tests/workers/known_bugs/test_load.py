"""The registry is data: a file that does not say what it means names itself and the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.known_bugs.load import BUGS, KnownBugError, is_one, known_bugs, load, of_flag
from workers.statistics.flags import describe

ENTRY = """
id: a-bug
title: It breaks
severity: warn
effect: crash
dialects: [mainline]
builds: {fixed: 10068}
where: {spec: [draft-dflash]}
source: https://example.org/1
advice: Do not.
"""


def entry(tmp_path: Path, text: str = ENTRY, name: str = "a-bug.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_an_entry_is_read(tmp_path: Path) -> None:
    bug = load(entry(tmp_path))

    assert (bug.id, bug.builds.fixed if bug.builds else None) == ("a-bug", 10_068)
    assert bug.where.spec == ("draft-dflash",)


def test_every_file_of_the_registry_is_an_entry() -> None:
    assert len(known_bugs()) == len(list(BUGS.glob("*"))) >= 15


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("where: {spec", "where: {specs", "where.specs"),
        ("effect: crash", "effect: chrash", "effect"),
        ("severity: warn", "severity: fatal", "severity"),
        ("builds: {fixed: 10068}", "builds: {fixed: b10068}", "builds.fixed"),
        ("builds: {fixed: 10068}", "builds: {fixed: 12}", "builds.fixed"),
        ("builds: {fixed: 10068}", "builds: {}", "builds"),
        ("builds: {fixed: 10068}", "builds: {first: 10500, fixed: 10068}", "in this order"),
        ("builds: {fixed: 10068}", "releases: {fixed: soon}", "no release"),
        ("dialects: [mainline]\n", "", "forks count differently"),
        ("dialects: [mainline]", "dialects: [mainline]\nreleases: {fixed: 0.4.4}", "not both"),
        ("source: https://", "source: ", "source"),
        ("advice: Do not.\n", "", "advice"),
        ("where: {spec: [draft-dflash]}\n", "", "where"),
        ("title: It breaks", "title: It breaks\nurgency: high", "urgency"),
        ("id: a-bug", "id: A Bug", "id"),
        ("id: a-bug", "id: another-bug", "another-bug.yaml"),
        ("id: a-bug", "id: [", "not valid YAML"),
    ],
)
def test_an_entry_that_is_wrong_names_its_file_and_key(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    assert old in ENTRY

    with pytest.raises(KnownBugError) as raised:
        load(entry(tmp_path, ENTRY.replace(old, new)))

    assert "a-bug.yaml" in str(raised.value)
    assert says in str(raised.value)
    assert raised.value.hint


def test_an_entry_that_is_no_text_is_a_sentence_too(tmp_path: Path) -> None:
    path = tmp_path / "a-bug.yaml"
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(KnownBugError, match="cannot be read"):
        load(path)


def test_a_flag_leads_back_to_its_bug() -> None:
    for bug in known_bugs():
        assert is_one(bug.flag)
        assert of_flag(bug.flag) is bug


def test_other_flags_lead_to_none() -> None:
    assert of_flag("single_launch") is None
    assert of_flag("known_bug:long-forgotten") is None


def test_a_flag_is_shown_in_words_with_who_says_so() -> None:
    said = describe("known_bug:draft-kv-quantised")

    assert "hardly any draft is accepted" in said
    assert "issues/25725" in said
    assert describe("known_bug:long-forgotten") == "known bug:long-forgotten"
