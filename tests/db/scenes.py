"""Small scenes that several tests start from."""

from __future__ import annotations

from sqlalchemy import text

from db.database import Database
from db.rows import Driver, SweepRow, TrialRow
from db.states import TrialRole
from db.tables.all import METADATA
from search_spaces.axis import Axis
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction, Facet
from search_spaces.space import Space
from tests.support.outcomes import CANDIDATE, RIG, make_completed, make_job
from workers.contract.outcome import Outcome

DRIVER = Driver("tower", 100, 1.7e9)
SPACE = Space(
    name="kv",
    title="K/V pairs",
    fixed={"model": "m.gguf"},
    parameters={"kv": Axis(values=("f16/f16", "q8_0/q8_0")), "ctx": Axis(min=512, max=1024)},
    objectives={"tok_s": Direction.MAXIMIZE},
)


def start_sweep(database: Database, key: str = "sweep-key", driver: Driver = DRIVER) -> SweepRow:
    """A sweep whose driver nobody else runs."""
    return database.sweeps.start_or_resume(
        key, SPACE, driver, fingerprint={"orchestrate": "0.1.0"}, is_alive=lambda _driver: False
    )


def add_trial(
    database: Database,
    sweep: SweepRow,
    number: int | None = 0,
    candidate: Candidate = CANDIDATE,
    memo: dict[Facet, str] | None = None,
    role: TrialRole = TrialRole.SEARCH,
) -> TrialRow:
    """A waiting trial on the one rig."""
    return database.trials.add(sweep.id, RIG.name, candidate, role, number=number, memo=memo)


def run_job(database: Database, outcome: Outcome | None = None, **job: object) -> Outcome:
    """A job from its start to its recorded outcome."""
    made = make_job(**job)  # type: ignore[arg-type]
    outcome = outcome or make_completed(made)
    database.jobs.start(made, RIG)
    database.jobs.record(outcome)
    return outcome


def contents(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of ours, as the database prints it."""
    with database.engine.connect() as connection:
        return {
            table: [
                tuple(map(str, row))
                for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2"))
            ]
            for table in sorted(METADATA.tables)
        }
