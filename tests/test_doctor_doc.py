"""docs/doctor.md lists every check and every rule in their own words."""

from __future__ import annotations

import re
from pathlib import Path

from orchestrator.analysis.live.match import Sweep
from orchestrator.analysis.live.registry import rules_of
from orchestrator.cli.database_check import DatabaseCheck
from workers.doctor.host.run import all_checks
from workers.doctor.server.run import all_rules

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "doctor.md").read_text(encoding="utf-8")


def rows(heading: str) -> set[tuple[str, str]]:
    """The two columns of the table under a heading."""
    section = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE))


def test_the_checks_are_those_of_the_registry() -> None:
    checks = (*all_checks(), DatabaseCheck(None))
    assert rows("This machine") == {(check.name, check.looks_at) for check in checks}


def test_the_rules_are_those_of_the_registries() -> None:
    rules = (*all_rules(), *rules_of(Sweep((), {})))
    assert rows("A live server") == {(rule.name, rule.catches) for rule in rules}
