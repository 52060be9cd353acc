"""The raw table of a sweep as CSV: one row a trial, every metric with its interval.

python -m benchmarks.table orchestrate.db > table.csv
"""

from __future__ import annotations

import csv
import sys

from db.database import open_database
from db.rows import SweepRow, TrialResult
from orchestrator.analysis.collect import collect
from orchestrator.analysis.records import Measured
from search_spaces.candidate import CANDIDATE_FIELDS

TOLD = ("power_w", "energy_j", "sm_clock_mhz", "temp_max_c")


def main() -> None:
    """Writes the latest sweep of the database named on the command line."""
    with open_database(sys.argv[1], read_only=True) as database:
        sweep = database.sweeps.find(sys.argv[2] if len(sys.argv) > 2 else "latest")
        records = collect(database, sweep)
        results = {result.trial.id: result for result in database.results(sweep.id)}
        jobs = {job.id: job.telemetry for job in database.jobs.list(sweep.id)}
    rows = [_row(record, results[record.trial_id], jobs) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, names, restval="", lineterminator="\n")
    print(f"# sweep {sweep.key} of {sweep.name}; {_engines(sweep)}")
    writer.writeheader()
    writer.writerows(rows)


def _engines(sweep: SweepRow) -> str:
    return ", ".join(f"{k} {v}" for k, v in sweep.fingerprint.items() if "/" in k)


def _row(
    record: Measured, result: TrialResult, jobs: dict[str, dict[str, float]]
) -> dict[str, object]:
    candidate = record.candidate.as_dict()
    row: dict[str, object] = {"key": record.candidate.asked_key, "rig": record.rig}
    row |= {name: candidate.get(name, "") for name in CANDIDATE_FIELDS if name in candidate}
    row["state"] = record.state.value
    for name, estimate in sorted(record.estimates.items()):
        row[name] = f"{estimate.value:.6g}"
        if estimate.low is not None and estimate.high is not None:
            row[f"{name}_low"], row[f"{name}_high"] = f"{estimate.low:.6g}", f"{estimate.high:.6g}"
    telemetry = next((jobs[j] for j in result.jobs if jobs.get(j)), {})
    row |= {name: f"{telemetry[name]:.6g}" for name in TOLD if name in telemetry}
    row["gates_passed"] = sum(gate.passed for gate in result.gates)
    row["gates"] = len(result.gates)
    row["flags"] = " ".join(record.flags)
    row["failure"] = record.failure.kind.value if record.failure else ""
    return row


if __name__ == "__main__":
    main()
