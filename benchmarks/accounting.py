"""Where the time of a real sweep went, and whether anything was measured twice.

python -m benchmarks.accounting orchestrate.db
"""

from __future__ import annotations

import sys
from collections import Counter

from db.database import open_database
from search_spaces.metrics import Facet


def main() -> None:
    """Prints the latest sweep's account as a Markdown table."""
    with open_database(sys.argv[1], read_only=True) as database:
        sweep = database.sweeps.find("latest")
        jobs = database.jobs.list(sweep.id)
        trials = database.trials.list(sweep.id)
    if sweep.ended is None or sweep.runs != 1:
        raise SystemExit("The account needs a sweep that ran to its end in one go.")
    wall = (sweep.ended - sweep.started).total_seconds()
    start = sum(job.start_s or 0.0 for job in jobs)
    facets = sum(job.facets_s or 0.0 for job in jobs)
    inside = sum(job.wall_s or 0.0 for job in jobs)
    first = (min(job.started for job in jobs) - sweep.started).total_seconds()
    between = wall - first - inside
    scored = Counter(job.memo[Facet.PERPLEXITY] for job in jobs if Facet.PERPLEXITY in job.memo)
    needed = {t.memo[Facet.PERPLEXITY] for t in trials if Facet.PERPLEXITY in t.memo}
    rows = [
        ("wall time", f"{wall:.1f} s, {len(trials)} trials, {len(jobs)} jobs"),
        ("before the first job (Ray included)", f"{first:.1f} s"),
        ("engine starts", f"{start:.1f} s"),
        ("facets: timed requests, perplexities", f"{facets:.1f} s"),
        ("warm-ups, gates, stopping engines", f"{inside - start - facets:.1f} s"),
        (
            "driver between jobs: ask, record, tell",
            f"{1000 * between / len(trials):.0f} ms a trial",
        ),
        ("perplexity runs / distinct memo keys", f"{scored.total()} / {len(needed)}"),
    ]
    print("| what | how much |\n|---|---|")
    for row in rows:
        print(f"| {row[0]} | {row[1]} |")


if __name__ == "__main__":
    main()
