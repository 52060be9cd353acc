"""A PostgreSQL that goes away while a sweep runs: waited for, and nothing lost or done twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import OperationalError

from db.database import open_database
from db.errors import DatabaseAwayError
from db.rows import TrialRow
from db.states import JobState, SweepState, TrialState
from orchestrator.sweeping.patience import Patience
from orchestrator.sweeping.session import Session, sweep_key
from orchestrator.sweeping.storage import opened
from tests.orchestrator.sweeping.laboratory import Bench, Heard
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing

LOST = "server closed the connection unexpectedly"
psycopg = pytest.importorskip("psycopg")
BENCH = Bench.make(
    Path("unused.db"),
    make_space(
        "kv: [q8_0/q8_0, q4_0/q4_0], n_max: [2, 4]",
        fixed="model: small, drafter: draft, spec: draft-dflash",
        objectives="{speedup: maximize, ppl_delta_pct: minimize}",
    ),
)  # its baseline drafts nothing, so it is a trial outside of the study


@dataclass
class Breaker:
    """Ends every connection of the server after the nth write that our code asks for.

    `after_commit` ends them when the write is done and nobody has heard of it yet.
    """

    url: str
    nth: int
    after_commit: bool
    seen: int = 0

    def strike(self, connection: Connection) -> None:
        """Counts a commit of something written."""
        if not connection.info.pop("written", False):
            return
        self.seen += 1
        if self.seen == self.nth:
            if self.after_commit:
                connection.exec_driver_sql("COMMIT")
            self.end_all()
            if self.after_commit:  # psycopg finds nothing left to commit, and would not notice
                raise OperationalError("COMMIT", {}, psycopg.OperationalError(LOST))

    def end_all(self) -> None:
        """As a server does that is restarted."""
        engine = create_engine(self.url)
        with engine.connect() as other:
            mine = "pid <> pg_backend_pid() AND datname = current_database()"
            other.execute(
                text(f"SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE {mine}")
            )
        engine.dispose()


@pytest.fixture
def breaking(postgres_url: str) -> Iterator[Breaker]:
    """Breaks nothing until it is told which commit."""
    breaker = Breaker(postgres_url, 0, after_commit=False)

    def note(connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        if statement.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
            connection.info["written"] = True

    event.listen(Engine, "before_cursor_execute", note)
    event.listen(Engine, "commit", breaker.strike)
    yield breaker
    event.remove(Engine, "before_cursor_execute", note)
    event.remove(Engine, "commit", breaker.strike)


@dataclass(frozen=True)
class Ended:
    """What a run left: trials by what they are, deliveries, and what never ended."""

    trials: list[tuple[str, str, TrialState]]
    deliveries: Counter[str]
    unended: list[str] = field(default_factory=list)


def run(url: str, logs: Path) -> Heard:
    """One run of the sweep."""
    heard = Heard()
    surface = failing(lambda c, rig: c.n_max == 4 and c.kv_k == "q4_0")
    with open_database(url) as database:
        Session(BENCH.plan, database, ScriptedPool(BENCH.host, surface), heard, logs).run()
    return heard


def ended(url: str) -> Ended:
    """Reads the database."""

    def of(trial: TrialRow) -> tuple[str, str, TrialState]:
        return trial.role, trial.asked_key, trial.state

    with open_database(url) as database:
        sweep = database.sweeps.get(sweep_key(BENCH.plan))
        assert sweep is not None
        assert sweep.state is SweepState.FINISHED
        jobs = database.jobs.list(sweep.id)
        with database.engine.connect() as connection:
            delivered = connection.exec_driver_sql(
                "SELECT memo_key FROM job_facets WHERE position IS NOT NULL"
            )
            keys = Counter(key for (key,) in delivered)
        with opened(database) as storage:
            study = storage.get_all_studies()[0]
            open_in_study = [
                f"trial {t.number}"
                for t in storage.get_all_trials(study._study_id)
                if not t.state.is_finished()
            ]
        running = [job.id for job in jobs if job.state is JobState.RUNNING]
        return Ended(sorted(map(of, database.trials.list(sweep.id))), keys, running + open_in_study)


@pytest.fixture
def undisturbed(postgres_url: str, tmp_path: Path) -> Ended:
    """What the sweep comes to when nothing happens."""
    run(postgres_url, tmp_path)
    result = ended(postgres_url)
    engine = create_engine(postgres_url)
    schema = str(make_url(postgres_url).query["options"]).rpartition("=")[2]
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}"))
    engine.dispose()
    return result


@pytest.mark.chaos
@pytest.mark.parametrize("after_commit", [False, True], ids=["before-commit", "after-commit"])
@pytest.mark.parametrize("nth", [9, 14, 21, 27, 33])
def test_connections_that_break_at_a_write_lose_nothing_and_double_nothing(
    breaking: Breaker, undisturbed: Ended, nth: int, after_commit: bool, tmp_path: Path
) -> None:
    open_database(breaking.url).close()
    breaking.seen, breaking.nth, breaking.after_commit = 0, nth, after_commit
    run(breaking.url, tmp_path)
    assert breaking.seen > nth, "the sweep went on"
    assert ended(breaking.url) == undisturbed


def test_it_says_that_it_waits_and_never_the_password(breaking: Breaker, tmp_path: Path) -> None:
    open_database(breaking.url).close()
    breaking.seen, breaking.nth = 0, 9
    waits, back = run(breaking.url, tmp_path).notes
    shown = make_url(breaking.url).render_as_string(hide_password=True)
    assert waits == (
        f"{shown} does not answer; trying again for up to 300 s. Engines go on, and what they "
        "measure is recorded when it is back."
    )
    assert back.startswith(f"{shown} is back after ")


# -- the bound ---------------------------------------------------------------------------------


def away() -> None:
    """A step that never succeeds."""
    raise DatabaseAwayError("postgresql://tower/db does not answer.")


def test_it_is_waited_for_within_a_bound() -> None:
    ticks = iter(range(0, 1000, 100))
    waits: list[None] = []
    notes: list[str] = []
    patience = Patience(
        "postgresql://tower/db",
        notes.append,
        limit_s=300,
        pause=lambda: waits.append(None),
        clock=lambda: float(next(ticks)),
    )
    with pytest.raises(DatabaseAwayError, match=r"postgresql://tower/db was away for 300 s\."):
        patience(away)
    assert len(waits) == 3
    assert len(notes) == 1


def test_a_sweep_that_is_told_to_stop_does_not_wait() -> None:
    patience = Patience(pause=lambda: pytest.fail("it waited"))
    patience.stopping.set()
    with pytest.raises(DatabaseAwayError):
        patience(away)


def test_any_other_error_is_not_tried_again() -> None:
    def wrong() -> None:
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        Patience(pause=lambda: pytest.fail("it waited"))(wrong)
