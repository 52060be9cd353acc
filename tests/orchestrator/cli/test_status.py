"""`orchestrate status`: how far sweeps are, also while one runs, and after a driver was killed."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from db.database import open_database
from db.rows import Driver
from orchestrator.sweeping.session import this_driver
from tests.db.scenes import SPACE, add_trial
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene, sweep
from tests.support.outcomes import CANDIDATE, RIG, make_job
from tests.support.surfaces import failing

DEAD = Driver(platform.node(), 2**22 + 1, 0.0)  # no process has a number this high


def begun(storage: Path, driver: Driver) -> Path:
    """A sweep that this driver works on, with one job in progress."""
    with open_database(str(storage)) as database:
        row = database.sweeps.start_or_resume(
            "0123456789abcdef", SPACE, driver, fingerprint={}, is_alive=lambda _driver: False
        )
        job = make_job()
        add_trial(database, row, memo=job.memo)
        database.jobs.start(job, RIG, row.id)
    return storage


def test_one_line_for_each_sweep(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("status", "--storage", swept.storage)
    heads, _, line, *_ = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert heads.split() == ["key", "sweep", "state", "started", "done", "failed", "open"]
    assert line.split()[1:3] + line.split()[-3:] == ["kv", "finished", "5", "1", "0"]


def test_failures_say_what_happened_what_to_do_and_where_the_log_is(
    orchestrate: Caller, swept: Scene
) -> None:
    said = orchestrate("status", "--storage", swept.storage)
    *_, kind, evidence, advice, log = said.out.splitlines()
    assert (kind, evidence, advice) == (
        "1 trial failed: out of memory",
        "  cudaMalloc failed: out of memory",
        "  Use a smaller ctx.",
    )
    assert log.startswith(f"  Log: {swept.storage.parent}")


def test_trials_that_failed_for_one_reason_are_counted_together(
    orchestrate: Caller, tmp_path: Path
) -> None:
    scene = sweep(tmp_path / "failed.db", surface=failing(lambda c, rig: c.n_max == 4))
    said = orchestrate("status", "--storage", scene.storage)
    assert said.out.count("failed: ") == 2  # the line that counts them, and the evidence
    assert "\n2 trials failed: out of memory\n" in said.out


def test_json_says_the_same(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("status", "--storage", swept.storage, "--json")
    found = json.loads(said.out)
    (sweep,) = found["sweeps"]
    assert (said.code, said.err) == (0, "")
    assert sweep["state"] == "finished"
    assert sweep["trials"] == {"rtx": {"complete": 5, "replayed": 0, "failed": 1, "open": 0}}
    assert found["sweep"] == sweep["key"]
    assert [failure["kind"] for failure in found["failures"]] == ["out_of_memory"]
    assert found["running"] == []


def test_a_running_sweep_shows_its_jobs(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "running.db", this_driver())
    said = orchestrate("status", "--storage", storage)
    assert " running " in said.out
    assert (
        f"\n{RIG.name}: memory, throughput of m · K/V q8_0/q5_1 · draft-dflash · n_max 4, since "
        in (said.out)
    )


def test_a_running_sweep_lists_its_jobs_for_programs(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "running.db", this_driver())
    (job,) = json.loads(orchestrate("status", "--storage", storage, "--json").out)["running"]
    assert (job["rig"], job["facets"]) == (RIG.name, ["memory", "throughput"])
    assert job["candidate"] == CANDIDATE.as_dict()


def test_a_killed_driver_is_told(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "killed.db", DEAD)
    said = orchestrate("status", "--storage", storage)
    assert said.code == 0
    assert " killed " in said.out
    assert "kv was killed; what it measured is kept." in said.out
    assert " since " not in said.out


def test_a_killed_driver_is_told_to_programs(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "killed.db", DEAD)
    found = json.loads(orchestrate("status", "--storage", storage, "--json").out)
    assert found["sweeps"][0]["state"] == "killed"
    assert found["running"] == []


def test_a_driver_on_another_host_is_taken_to_live(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "elsewhere.db", Driver("another-host", 1, 0.0))
    assert " running " in orchestrate("status", "--storage", storage).out


def test_an_interrupted_sweep_says_how_it_goes_on(orchestrate: Caller, tmp_path: Path) -> None:
    storage = begun(tmp_path / "stopped.db", DEAD)
    with open_database(str(storage)) as database:
        database.sweeps.interrupt(1)
    said = orchestrate("status", "--storage", storage)
    assert "kv was interrupted; what it measured is kept. The command that started it" in said.out


@pytest.mark.parametrize("command", ["status", "pareto", "export"])
def test_a_database_without_sweeps_says_so(orchestrate: Caller, empty: Path, command: str) -> None:
    said = orchestrate(command, "--storage", empty)
    assert (said.code, said.out) == (2, "")
    assert said.sentence == f"{empty} holds no sweeps. Run one first: orchestrate sweep."


def test_a_rig_that_is_left_out_is_told_while_the_sweep_runs(
    orchestrate: Caller, tmp_path: Path
) -> None:
    storage = begun(tmp_path / "running.db", this_driver())
    with open_database(str(storage)) as database:
        database.quarantines.begin(1, "rtx3090", "Rig rtx3090 is left out: it failed.")
    assert ": Rig rtx3090 is left out: it failed.\n" in (
        orchestrate("status", "--storage", storage).out
    )
    found = json.loads(orchestrate("status", "--storage", storage, "--json").out)
    assert [(row["rig"], row["reason"]) for row in found["left_out"]] == [
        ("rtx3090", "Rig rtx3090 is left out: it failed.")
    ]
