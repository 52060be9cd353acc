"""Every string of a value is changed, wherever it is."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.analysis.report.strings import with_strings
from workers.contract.failure import Diagnosis, FailureKind


@dataclass(frozen=True)
class Nested:
    """Strings in all places that a report has them."""

    one: str
    many: tuple[str, ...]
    named: dict[str, str]
    inner: Diagnosis


def test_all_strings_are_changed_but_no_key_and_no_word_of_ours() -> None:
    kind = FailureKind.TIMEOUT_HANG
    value = Nested("ab", ("ab",), {"ab": "ab"}, Diagnosis(kind, "ab", "ab", True))
    assert with_strings(value, str.upper) == Nested(
        "AB", ("AB",), {"ab": "AB"}, Diagnosis(kind, "AB", "AB", True)
    )
