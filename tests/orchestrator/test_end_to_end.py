"""The main job on a real engine and a real model: sweep, kill, resume, export, serve."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.models import engine_binary
from workers.contract.reports import RigKind, RigReport
from workers.engines.launch import launched

pytestmark = [pytest.mark.engine, pytest.mark.timeout(900)]

SPACE = """
schema: 1
name: tiny
fixed:
  engine: embedded
  model: builtin:smollm2-135m-Q4_1
  drafter: builtin:smollm2-135m-dflash-Q8_0
  ctx: 512
parameters:
  kv: [f16/f16, q8_0/q5_1]
  spec: [none, draft-dflash]
  n_max: {values: [2, 9], when: spec != 'none'}
baseline: {fix: {spec: none, kv: f16/f16}}
objectives: {tok_s: maximize, ppl: minimize}
measure:
  throughput:
    {suite: coding, prompts: 2, predict: 12, launches: 2, passes: 2, max_passes: 2, budget_s: 5}
  perplexity: {n_ctx: 128, chunks: 3, batch: 128, ubatch: 128}
budget: {trials: 6}
"""


def orchestrate(folder: Path, *words: str) -> list[str]:
    storage = ["--storage", str(folder / "sweep.db")]
    return [sys.executable, "-m", "orchestrator.cli.main", *words, *storage]


def sweep(folder: Path) -> list[str]:
    space, logs = folder / "tiny.yaml", folder / "logs"
    space.write_text(SPACE)
    words = ["sweep", "--space", str(space), "--pool", "inline", "--log-dir", str(logs)]
    return orchestrate(folder, *words, "--html", str(folder / "page.html"))


def read(folder: Path, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "sweep.db") as connection:
        return connection.execute(query).fetchall()


def engines_of(folder: Path) -> list[psutil.Process]:
    """Engine processes whose command names this folder's logs, or whose parent is our sweep."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = " ".join(process.info["cmdline"] or ())
        if "embedded_child" in words and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sweep that was killed once by SIGKILL, then run to its end."""
    folder = tmp_path_factory.mktemp("swept")
    first = subprocess.Popen(sweep(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 400
    while time.monotonic() < deadline and first.poll() is None:
        if (folder / "sweep.db").exists() and _done(folder) >= 1 and engines_of(folder):
            break
        time.sleep(0.2)
    assert first.poll() is None, first.communicate()[0]
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    gone = time.monotonic() + 10
    while engines_of(folder) and time.monotonic() < gone:
        time.sleep(0.1)
    assert engines_of(folder) == [], "an engine outlived its sweep"
    again = subprocess.run(sweep(folder), capture_output=True, text=True, timeout=600, check=False)
    assert again.returncode == 0, again.stdout + again.stderr
    (folder / "said.txt").write_text(again.stdout)
    return folder


def _done(folder: Path) -> int:
    try:
        return len(read(folder, "select 1 from sweep_trials where state = 'complete'"))
    except sqlite3.OperationalError:
        return 0  # the tables are not there yet


@pytest.mark.chaos
def test_a_killed_sweep_ends_with_every_candidate_measured_once(swept: Path) -> None:
    rows = read(swept, "select role, state from sweep_trials")
    assert {state for _, state in rows} == {"complete"}
    # The baseline again at the end (drift) is a trial of its own.
    anchors = Counter(role == "anchor" for role, _ in rows)
    assert anchors == {False: 6, True: 1}
    delivered = read(
        swept,
        "select memo_key, count(*) from job_facets where position is not null group by memo_key",
    )
    assert {count for _, count in delivered} == {1}
    # Perplexity does not depend on speculation: one for each K/V pair.
    assert read(swept, "select count(*) from job_facets where facet = 'perplexity'"
                " and position is not null") == [(2,)]  # fmt: skip


@pytest.mark.chaos
def test_no_trial_is_left_running_in_the_study(swept: Path) -> None:
    assert read(swept, "select count(*) from trials where state = 'RUNNING'") == [(0,)]


def test_draft_dflash_drafted_and_was_accepted(swept: Path) -> None:
    rows = read(swept, "select raw_values from samples where facet = 'throughput'")
    values = [json.loads(str(raw)) for (raw,) in rows]
    drafted = [v for v in values if v.get("draft_n", 0) > 0]
    assert drafted
    assert sum(v["draft_n_accepted"] for v in drafted) > 0


def test_the_front_is_told_as_json(swept: Path) -> None:
    said = subprocess.run(
        orchestrate(swept, "pareto", "--json"), capture_output=True, text=True, check=True
    )
    front = json.loads(said.stdout)["front"]
    assert front
    for member in front:
        assert member["metrics"]["tok_s"]["low"] <= member["metrics"]["tok_s"]["value"]
        assert "ppl_delta_pct" in member["metrics"]


def test_the_exported_draft_command_starts_a_server_that_drafts(
    swept: Path, tmp_path: Path
) -> None:
    binary = engine_binary("llama-server")
    said = subprocess.run(
        orchestrate(swept, "export", "draft", "--format", "json", "--binary", str(binary)),
        capture_output=True,
        text=True,
        check=True,
    )
    (exported,) = json.loads(said.stdout)
    argv = exported["argv"]
    assert "--spec-type" in argv

    def command(port: int) -> list[str]:
        return [*argv, "-dev", "none", "-t", "2", "--host", "127.0.0.1", "--port", str(port)]

    rig = RigReport("cpu", RigKind.CPU, "here", "cpu", 2, 2, 4096, "linux")
    with launched(command, rig, tmp_path / "log", 120.0) as running:
        body = {"prompt": "one two three four " * 20, "n_predict": 24, "temperature": 0}
        answer = httpx.post(f"{running.base_url}/completion", json=body, timeout=120).json()
    assert answer["timings"]["draft_n"] > 0
