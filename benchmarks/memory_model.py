"""Error of the memory model by term, over public load logs.

python -m benchmarks.memory_model CASES.jsonl [--output REPORT.md]
"""

from __future__ import annotations

from collections import defaultdict

from benchmarks.memory_cases import Case, report_on_cases
from benchmarks.memory_compare import Comparison, compare, slopes


def report(cases: list[Case]) -> str:
    """The Markdown report."""
    found = [one for case in cases for one in compare(case)] + list(slopes(cases))
    by_term: dict[tuple[str, str], list[Comparison]] = defaultdict(list)
    for one in found:
        by_term[one.term, one.kind].append(one)
    lines = [
        "# Memory model against public load logs",
        "",
        f"{len(cases)} logs; {len({one.case_id for one in found})} of them name enough to be "
        f"predicted, with {len(found)} figures.",
        "",
        "| term | check | figures | hold | median error | largest error |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for (term, kind), group in sorted(by_term.items()):
        errors = sorted((one.error_percent for one in group), key=abs)
        middle, last = errors[len(errors) // 2], errors[-1]
        shown = "" if kind == "bound" else f"{middle:+.3f} % | {last:+.3f} %"
        lines.append(
            f"| {term} | {kind} | {len(group)} | {sum(one.holds for one in group)} "
            f"| {shown or ' | '} |"
        )
    lines += [
        "",
        "`bound`: what is called certain must not exceed what was measured. `sum` takes weights "
        "and compute buffers from the log, as both depend on the file and the build; logs without "
        "them are left out. The driver's own context (about 338 MiB on CUDA) is in no log line.",
        "",
    ]
    misses = [one for one in found if not one.holds]
    if misses:
        lines += ["| case | term | predicted | measured | error |", "|---|---|---:|---:|---:|"]
        lines += [
            f"| {one.case_id} | {one.term} | {one.predicted:.2f} | {one.measured:.2f} "
            f"| {one.error_percent:+.2f} % |"
            for one in misses
        ]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Print the report, or write it."""
    report_on_cases(report, __doc__ or "")


if __name__ == "__main__":
    main()
