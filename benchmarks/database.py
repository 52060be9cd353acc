"""What the records cost: writing an outcome, asking and telling a study, reading a sweep.

python -m benchmarks.database [--out benchmarks/results/database.md]
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from db.database import Database, open_database
from db.rows import Driver
from db.sqlite import apply_sqlite_pragmas
from db.states import TrialRole
from search_spaces.load import load
from search_spaces.walk import candidates
from tests.support.outcomes import RIG, make_completed, make_job

COMMAND = "python -m benchmarks.database --out benchmarks/results/database.md"


def timed(work: Callable[[], object], times: int) -> list[float]:
    """Milliseconds of each call."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def summary(name: str, taken: list[float]) -> str:
    """One row of the table."""
    ordered = sorted(taken)
    p95 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))]
    return f"| {name} | {len(taken)} | {statistics.median(taken):.1f} | {p95:.1f} |"


def recording(folder: Path, times: int) -> Iterator[str]:
    """An outcome with 24 samples, three estimates, two gates and a launch, and its start."""
    with open_database(str(folder / "record.db")) as database:
        jobs = iter([make_job(f"job-{number}") for number in range(times)])
        started = []

        def start() -> None:
            started.append(next(jobs))
            database.jobs.start(started[-1], RIG)

        yield summary("jobs.start", timed(start, times))
        ends = iter([make_completed(job) for job in started])
        yield summary(
            "jobs.record, 24 samples", timed(lambda: database.jobs.record(next(ends)), times)
        )
    yield summary("one fsync of 4 KiB, for scale", timed(lambda: flush(folder / "raw"), times))


def flush(path: Path) -> None:
    """What a commit costs where every commit is flushed to the disk."""
    with path.open("ab") as file:
        file.write(b"x" * 4096)
        file.flush()
        os.fsync(file.fileno())


def asking(folder: Path, times: int) -> Iterator[str]:
    """ask, four suggestions, two attributes and tell, on three kinds of file."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    for name, ours, pragmas in (
        ("a file of Optuna's own", False, False),
        ("our file, Optuna's settings", True, False),
        ("our file, our settings", True, True),
    ):
        path = folder / f"study-{ours}-{pragmas}.db"
        if ours:
            open_database(str(path)).close()
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        if pragmas:
            apply_sqlite_pragmas(storage.engine)
        study = optuna.create_study(
            storage=storage,
            directions=["maximize", "minimize"],
            sampler=optuna.samplers.RandomSampler(seed=0),
        )

        def ask_and_tell(study: optuna.Study = study) -> None:
            trial = study.ask()
            trial.suggest_categorical("model", ["a", "b", "c"])
            trial.suggest_categorical("kv", ["f16/f16", "q8_0/q8_0"])
            trial.suggest_categorical("spec", ["none", "draft-dflash"])
            trial.suggest_int("n_max", 1, 7)
            trial.set_user_attr("asked_key", "0123456789abcdef")
            trial.set_user_attr("violations", {"vram": -1.0})
            study.tell(trial, [60.0, 12.0])

        yield summary(f"ask + tell, {name}", timed(ask_and_tell, times))
        storage.engine.dispose()


def fill(database: Database, trials: int) -> int:
    """A sweep in which every trial was measured by a job of its own; its id."""
    space = load("kv_dflash")
    driver = Driver("tower", 1, 0.0)
    sweep = database.sweeps.start_or_resume(
        "key", space, driver, fingerprint={}, is_alive=lambda _driver: False
    )
    known = [candidate for candidate, _ in candidates(space)]
    for number in range(trials):
        job = make_job(f"job-{number}", known[number % len(known)])
        database.jobs.start(job, RIG, sweep.id)
        database.jobs.record(make_completed(job))
        trial = database.trials.add(
            sweep.id,
            RIG.name,
            job.resolved.candidate,
            TrialRole.SEARCH,
            number=number,
            resolved=job.resolved,
            memo=job.memo,
        )
        database.trials.complete(trial.id)
    return sweep.id


def reading(folder: Path, trials: int) -> Iterator[str]:
    """A whole sweep as pages read it, and the raw samples of all of its trials."""
    with open_database(str(folder / f"read-{trials}.db")) as database:
        sweep = fill(database, trials)
        yield summary(f"results, {trials:,} trials", timed(lambda: database.results(sweep), 5))
        keys = [key for r in database.results(sweep) for key in r.trial.memo.values()]
        yield summary(
            f"memo.known, {len(keys):,} keys", timed(lambda: database.memo.known(keys), 5)
        )
        yield summary(
            f"memo.samples_for, {trials * 24:,} samples",
            timed(lambda: database.memo.samples_for(keys), 3),
        )
    size = (folder / f"read-{trials}.db").stat().st_size / 2**20
    yield f"| size of the file, {trials:,} trials: {size:.0f} MiB | | | |"


def main() -> None:
    """Prints the table, and writes it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--trials", type=int, nargs="+", default=[1_000, 10_000])
    given = parser.parse_args()
    lines = [
        "# Cost of the records",
        "",
        f"`{COMMAND}`",
        "",
        f"SQLite {sqlite3.sqlite_version}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, a local disk; other work ran on the machine. "
        "Milliseconds of one call; trials with 24 samples each.",
        "",
        "| what | calls | median | 95th percentile |",
        "|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in (recording(folder, given.times), asking(folder, given.times)):
            lines.extend(part)
        for trials in given.trials:
            lines.extend(reading(folder, trials))
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text)


if __name__ == "__main__":
    main()
