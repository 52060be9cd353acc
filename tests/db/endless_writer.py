"""Records one outcome after the other until it is killed: python -m tests.db.endless_writer URL.

Prints a job's id once its outcome is recorded.
"""

from __future__ import annotations

import itertools
import os
import sys

from db.database import open_database
from tests.support.outcomes import RIG, make_completed, make_job


def main(url: str) -> None:
    """Never returns."""
    with open_database(url) as database:
        for number in itertools.count():
            job = make_job(f"{os.getpid()}-{number}")
            database.jobs.start(job, RIG)
            database.jobs.record(make_completed(job))
            print(job.id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
