"""One report in every format: the same numbers, each with its interval or a reason."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from db.states import SweepState
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.report.document import Number
from orchestrator.analysis.report.make import Report, make_report
from orchestrator.analysis.report.numbers import of_estimate
from orchestrator.analysis.report.selection import picked
from orchestrator.analysis.report.wording import shown
from orchestrator.analysis.report.write import report_formats, write
from tests.orchestrator.analysis.report.making import facts, records
from workers.contract.errors import OrchestrateError
from workers.contract.outcome import Estimate

COMMAND = ("llama-server", "-m", "/srv/bob/a b.gguf", "-c", "2048")
FACTS = facts()
PICKS = {pick.record.trial_id for pick in picked(FACTS)}
REPORT = make_report(
    replace(FACTS, commands=dict.fromkeys(PICKS, COMMAND)), Redactor.of([], [COMMAND[2]])
)
MARKDOWN = write(REPORT, "markdown")


def as_json(report: Report = REPORT) -> dict[str, Any]:
    found = json.loads(write(report, "json"))
    assert isinstance(found, dict)
    return found


def as_csv(report: Report = REPORT) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write(report, "csv"))))


@pytest.mark.parametrize("form", sorted(report_formats()))
def test_every_format_ends_in_one_line_break_and_names_no_path(form: str) -> None:
    text = write(REPORT, form)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert "/srv" not in text


def test_an_unknown_format_is_told_with_the_nearest_one() -> None:
    with pytest.raises(OrchestrateError, match="markdown"):
        write(REPORT, "markdwon")


def test_a_number_needs_an_interval_or_a_reason() -> None:
    with pytest.raises(ValueError, match="tok_s has neither"):
        Number("tok_s", 46.3)
    assert of_estimate(Estimate("tok_s", 46.3)).why.startswith("one launch only")
    assert of_estimate(Estimate("tok_s", 46.3), launches=2).why.startswith("kept for the whole run")
    assert of_estimate(Estimate("not_known_yet", 1.0)).why == "measured once"
    assert of_estimate(Estimate("tok_s", 46.3), simulated=True).why == "replayed, not measured"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Number("tok_s", 46.31, 45.9, 46.8), "46.3 (45.9 to 46.8)"),
        (Number("speedup", 1.0, 1.0, 1.0), "1.00× ±0"),
        (Number("ppl_delta_pct", 0.02, -0.3, 0.4), "+0.02 (−0.30 to +0.40)"),
        (Number("mem_peak_mib", 1136.0, why="the highest reading"), "1,136 ±?"),
    ],
)
def test_a_number_is_shown_with_its_interval(number: Number, text: str) -> None:
    assert shown(number) == text


def test_every_table_of_markdown_has_one_width() -> None:
    tables = re.findall(r"(?:^\|.*\n)+", MARKDOWN, re.MULTILINE)
    assert len(tables) > 8
    for found in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in found.splitlines()}
        assert len(widths) == 1


def test_a_number_without_interval_refers_to_its_reason_below_the_table() -> None:
    assert "±?ᵃ |" in MARKDOWN
    assert "\n±?ᵃ the highest reading of the run." in MARKDOWN


def test_sections_that_are_left_out_are_named_in_one_line() -> None:
    (line,) = [line for line in MARKDOWN.splitlines() if line.startswith("Left out: ")]
    assert "Context capacity (every candidate was measured at one context capacity only)" in line


def test_what_comes_from_outside_is_no_markdown() -> None:
    bad = [
        replace(r, failure=replace(r.failure, evidence="a|b\n# <b>`x` *y* _z_ [q](u) k_v"))
        if r.failure
        else r
        for r in records()
    ]
    text = write(make_report(facts(bad), Redactor()), "markdown")
    assert "a\\|b # \\<b\\>\\`x\\` \\*y\\* \\_z\\_ \\[q](u) k_v" in text


def test_commands_are_quoted_after_their_paths_were_taken_out() -> None:
    assert "```sh\nllama-server \\\n  -m '/removed/a b.gguf' \\\n  -c 2048\n```" in MARKDOWN


def test_json_has_the_sections_by_name_and_every_candidate() -> None:
    found = as_json()
    assert found["schema"] == 1
    assert {"recommendation", "kv", "integrity", "fingerprint"} <= found["sections"].keys()
    assert found["omitted"]["context"].startswith("every candidate")
    assert len(found["candidates"]) == 96


def test_every_number_of_json_has_an_interval_or_a_reason() -> None:
    def numbers(value: object) -> list[dict[str, Any]]:
        if isinstance(value, dict):
            inner = [one for item in value.values() for one in numbers(item)]
            return [value, *inner] if "value" in value and "low" in value else inner
        return [one for item in value for one in numbers(item)] if isinstance(value, list) else []

    found = numbers(as_json())
    assert len(found) > 500
    assert [one for one in found if one["low"] is None and not one.get("why")] == []


def test_csv_has_one_row_for_each_candidate_and_no_column_twice() -> None:
    rows = as_csv()
    header = write(REPORT, "csv").splitlines()[0].split(",")
    assert len(rows) == 96
    assert len(set(header)) == len(header)
    assert {"tok_s", "tok_s_low", "tok_s_high", "tok_s@prose", "flags"} <= set(header)


def test_all_formats_tell_the_same_numbers() -> None:
    row, candidate = as_csv()[0], as_json()["candidates"][0]
    assert row["key"] == candidate["key"]
    assert float(row["tok_s_low"]) == candidate["metrics"]["tok_s"]["low"]
    assert float(row["tok_s@code"]) == candidate["classes"]["code"]["tok_s"]["value"]


def test_a_failed_candidate_has_its_reason_in_all_formats() -> None:
    failed = [row for row in as_csv() if row["state"] == "failed"]
    assert {row["failure"] for row in failed} == {"out_of_memory"}
    assert next(c for c in as_json()["candidates"] if c["failure"])["failure"]["advice"]


def test_numbers_that_are_none_are_null_and_empty() -> None:
    odd = [r.with_estimates(Estimate("ppl", float("nan"), 1.0, float("inf"))) for r in records()]
    report = make_report(facts([odd[1]]), Redactor())
    assert as_json(report)["candidates"][0]["metrics"]["ppl"]["value"] is None
    assert as_csv(report)[0]["ppl"] == ""


def test_a_sweep_that_has_not_ended_says_so_first() -> None:
    row = replace(FACTS.sweep, state=SweepState.INTERRUPTED)
    (about, _) = make_report(replace(FACTS, sweep=row), Redactor()).opening
    assert about.endswith("It is interrupted: there is more to come.")


def test_a_sweep_of_somebody_else_is_called_so() -> None:
    row = replace(FACTS.sweep, imported="ab")
    assert "It was imported: " in make_report(replace(FACTS, sweep=row), Redactor()).opening[0]


def test_simulated_numbers_are_called_so_everywhere() -> None:
    report = make_report(facts([replace(r, simulated=True) for r in records()]), Redactor())
    assert write(report, "markdown").splitlines()[2].startswith("**Simulated: ")
    assert as_json(report)["simulated"] is True
    assert {row["simulated"] for row in as_csv(report)} == {"true"}
