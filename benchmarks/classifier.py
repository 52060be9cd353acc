"""How often a log's failure is named rightly, by class, over a file of labelled logs.

    python -m benchmarks.classifier CASES.jsonl [--output REPORT.md]

A case is one JSON object per line: `excerpt` (the log), `expected_class` (`none` where the run
did not fail), and optionally `id`, `subclass` and `rc`. The log is classified twice, from its
text alone and with the exit code; the figures are those of the text alone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from workers.contract.failure import Diagnosis
from workers.failures.classify import classify
from workers.failures.registry import all_patterns

_NONE = "none"


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what it is called by its label, and what it was called by the classifier."""

    name: str
    expected: str
    subclass: str
    found: str
    detail: str
    evidence: str
    with_exit_code: str

    @property
    def right(self) -> bool:
        """The class agrees; the detail within it is reported, not judged."""
        return self.found == self.expected


def judge(path: Path) -> list[Judged]:
    """Classifies every case of a file; raises KeyError where a line is no case."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_judge_one(number, json.loads(line)) for number, line in enumerate(lines, 1) if line]


def _judge_one(number: int, case: dict[str, object]) -> Judged:
    text, rc = str(case["excerpt"]), case.get("rc")
    found = classify(text)
    return Judged(
        name=str(case.get("id", number)),
        expected=str(case["expected_class"]),
        subclass=str(case.get("subclass", "")),
        found=_word(found),
        detail=found.detail if found else "",
        evidence=found.evidence if found else "",
        with_exit_code=_word(classify(text, rc=rc if isinstance(rc, int) else None)),
    )


def _word(found: Diagnosis | None) -> str:
    return found.kind.value if found else _NONE


def report(judged: list[Judged], file_name: str) -> str:
    """The figures as Markdown: per class, then every case that was named wrongly."""
    right = sum(case.right for case in judged)
    false_failures = sum(case.expected == _NONE and not case.right for case in judged)
    with_code = sum(case.with_exit_code == case.expected for case in judged)
    same_detail = sum(case.right and case.detail == case.subclass for case in judged)
    labelled = sum(case.right and bool(case.subclass) and case.found != _NONE for case in judged)
    rows = [
        "# Failure classifier",
        "",
        f"`python -m benchmarks.classifier {file_name}`",
        "",
        f"- {len(judged)} labelled logs of public issues, {len(all_patterns())} patterns",
        f"- class right from the text alone: {right} of {len(judged)} ({_percent(judged)})",
        f"- class right with the exit code, where one is known: {with_code} of {len(judged)}",
        f"- failures reported where there was none: {false_failures}",
        f"- detail the same word as the label's subclass: {same_detail} of {labelled}",
        "",
        "The patterns were written with these logs at hand, so the figures show that nothing is",
        "broken, not how an unseen log fares.",
        "",
        "| class | cases | right | |",
        "|---|--:|--:|--:|",
    ]
    for name, cases in sorted(Counter(case.expected for case in judged).items()):
        own = [case for case in judged if case.expected == name]
        rows.append(f"| {name} | {cases} | {sum(c.right for c in own)} | {_percent(own)} |")
    rows += ["", "## Confusions", ""]
    wrong = [case for case in judged if not case.right]
    rows += [
        f"- {case.name}: {case.expected} taken for {case.found} ({case.evidence})" for case in wrong
    ] or ["None."]
    return "\n".join(rows) + "\n"


def _percent(judged: list[Judged]) -> str:
    return f"{100 * sum(case.right for case in judged) / max(1, len(judged)):.0f} %"


def main() -> None:
    """Prints the report, and writes it too where a path is given; exits 1 on a wrong class."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("cases", type=Path, metavar="CASES.jsonl")
    parser.add_argument("--output", type=Path, metavar="REPORT.md")
    arguments = parser.parse_args()
    judged = judge(arguments.cases)
    text = report(judged, arguments.cases.name)
    print(text, end="")
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    raise SystemExit(any(not case.right for case in judged))


if __name__ == "__main__":
    main()
