"""`make chaos`: many rounds, a table of what was done to them, and one line that counts."""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.chaos.round import Result, play
from tests.chaos.site import TRIALS
from tests.support.postgres import PostgresServer, binaries

KINDS = ("disk", "postgres", "ray")
PER_ROUND = 10
RAY_PER_ROUND = 8


def report(results: list[Result]) -> str:
    """What was done, and what came of it, as Markdown."""
    struck = sum((result.struck for result in results), Counter[str]())
    on = {kind: Counter[str]() for kind in KINDS}
    for result in results:
        on[result.kind] += result.struck
    problems = [(r.kind, r.seed, p) for r in results for p in r.problems]
    kinds = {kind: [r.seed for r in results if r.kind == kind] for kind in KINDS}
    lines = [
        "# Chaos",
        "",
        f"Sweeps of {TRIALS} candidates on two rigs that share the cores (equal ones, which share "
        "one search, with odd seeds; others with even seeds), by the real command in "
        "processes of its own, with a scripted engine (a process, too); nothing is measured. "
        "After each fault the same command is run until it ends. A round is well when nothing "
        "that was recorded is gone, nothing is recorded twice, every candidate has its result "
        "(on both rigs where they differ), the study knows them all, and no process is left.",
        "",
        f"Rounds of `make chaos`, {platform.system()}, Python {platform.python_version()}, "
        f"{sum(r.seconds for r in results):.0f} s.",
        "",
        f"| fault |{''.join(f' on {kind} |' for kind in KINDS)} injected |",
        f"|---|{'--:|' * len(KINDS)}--:|",
        *(
            f"| {name} |{''.join(f' {on[kind][name]} |' for kind in KINDS)} {count} |"
            for name, count in sorted(struck.items())
        ),
        f"| **all** |{''.join(f' {on[kind].total()} |' for kind in KINDS)} **{struck.total()}** |",
        "",
        f"{len(results)} sweeps, {sum(r.runs for r in results)} runs of the command, "
        f"{struck.total()} faults; {len(problems)} problems.",
        "",
        *(
            f"Seeds of rounds on {kind}: {', '.join(map(str, seeds))}."
            for kind, seeds in kinds.items()
            if seeds
        ),
    ]
    lines += ["", *(f"- {kind} {seed}: {problem}" for kind, seed, problem in problems)]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Plays the rounds; 1 when one was not well."""
    parser = argparse.ArgumentParser(description="Inject faults into sweeps over real processes.")
    parser.add_argument("--disk", type=int, default=12, help="rounds on SQLite, on a small disk")
    parser.add_argument("--postgres", type=int, default=12, help="rounds on PostgreSQL")
    parser.add_argument("--ray", type=int, default=6, help="rounds on Ray")
    parser.add_argument("--seed", type=int, default=0, help="of the first round of each kind")
    parser.add_argument("--output", type=Path, help="file for the report")
    asked = parser.parse_args()
    found, results = binaries(), list[Result]()
    server = PostgresServer(found) if found and asked.postgres else None
    try:
        if server is not None:
            server.start()
        rounds = [(kind, PER_ROUND, getattr(asked, kind)) for kind in ("disk", "postgres")]
        for kind, faults, count in [*rounds, ("ray", RAY_PER_ROUND, asked.ray)]:
            if kind == "postgres" and server is None:
                continue
            for seed in range(asked.seed, asked.seed + count):
                with tempfile.TemporaryDirectory(prefix="orchestrate-chaos-") as folder:
                    result = play(seed, kind, faults, Path(folder), server)
                results.append(result)
                said = "; ".join(result.problems) or "well"
                print(
                    f"{kind} {seed}: {result.struck.total()} faults, {result.runs} runs, "
                    f"{result.seconds:.0f} s: {said}",
                    flush=True,
                )
    finally:
        if server is not None:
            server.delete()
    text = report(results)
    print(text)
    if asked.output is not None:
        asked.output.write_text(text, encoding="utf-8")
    return int(any(result.problems for result in results))


if __name__ == "__main__":
    sys.exit(main())
