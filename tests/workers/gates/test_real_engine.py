"""The gates over a real llama-server (ORCHESTRATE_TEST_ENGINES names a directory that holds one)
with the demo pair: nothing is found but what is true of it."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from tests.workers.gates.scenes import CPU
from workers.engines.ports import free_port, owns_port
from workers.gates.base import Scene
from workers.gates.canary import CANARY_PREDICT, CANARY_TEXT
from workers.gates.run import run_gates
from workers.http.client import ServerClient
from workers.models.resolve import resolve

ENGINES = os.environ.get("ORCHESTRATE_TEST_ENGINES", "")
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not ENGINES, reason="ORCHESTRATE_TEST_ENGINES names no directory"),
]

PLAIN = Candidate(model="builtin:smollm2-135m-Q4_1", ctx=1000, kv_k="q8_0", kv_v="q5_1")
DFLASH = replace(PLAIN, spec="draft-dflash", drafter="builtin:smollm2-135m-dflash-Q8_0", n_max=4)


@contextmanager
def serving(candidate: Candidate, log: Path) -> Iterator[tuple[str, int, int]]:
    """URL, port and pid of a real server."""
    port = free_port()
    words = [str(Path(ENGINES, "llama-server")), "-m", str(resolve(candidate.model))]
    words += ["-c", str(candidate.ctx), "-ctk", candidate.kv_k, "-ctv", candidate.kv_v]
    words += ["--port", str(port), "-fa", "on", "-fit", "off", "-np", "1", "--cache-ram", "0"]
    words += ["--metrics", "-lv", "4", "--spec-type", candidate.spec]
    if candidate.drafter:
        words += ["-md", str(resolve(candidate.drafter))]
        words += ["--spec-draft-n-max", str(candidate.n_max)]
    environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(log.parent)}
    with log.open("wb") as file:
        process = subprocess.Popen(words, stdout=file, stderr=file, env=environment)
    try:
        yield f"http://127.0.0.1:{port}", port, process.pid
    finally:
        process.kill()
        process.wait()


@cache
def observe(candidate: Candidate) -> Scene:
    """Two canaries, two timed requests; once per candidate, since a launch takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "server.log")
        with (
            serving(candidate, log) as (url, port, pid),
            ServerClient(url, timeout_s=120.0) as client,
        ):
            return ask(candidate, client, log, owns_port(pid, port))


def ask(candidate: Candidate, client: ServerClient, log: Path, owns: bool | None) -> Scene:
    """What a worker would observe of a server, once it is healthy."""
    limit = time.monotonic() + 60.0
    while not client.healthy():
        assert time.monotonic() < limit, log.read_text(errors="replace")[-2000:]
    before = client.metrics()
    canaries = [client.completion(CANARY_TEXT, CANARY_PREDICT) for _ in range(2)]
    return Scene(
        candidate=candidate,
        model=resolve(candidate.model),
        drafter=resolve(candidate.drafter) if candidate.drafter else None,
        rig=CPU,
        capabilities=None,
        props=client.props(),
        slots=client.slots(),
        canaries=canaries,
        measured=[client.completion("A short story about rain:", 24) for _ in range(2)],
        metrics_before=before,
        metrics_after=client.metrics(),
        pid_owns_port=owns,
        log=log.read_text(errors="replace"),
    )


@pytest.mark.parametrize(
    ("candidate", "effective"),
    [
        (PLAIN, {}),
        (DFLASH, {}),
        (replace(DFLASH, n_max=12), {"n_max": 7}),
        (replace(PLAIN, spec="ngram-simple"), {}),
        (replace(PLAIN, spec="ngram-map-k"), {}),
        (replace(PLAIN, spec="ngram-mod"), {}),
    ],
    ids=["plain", "dflash", "clamped", "ngram-simple", "ngram-map-k", "ngram-mod"],
)
def test_a_real_launch_passes_under_what_it_really_is(
    candidate: Candidate, effective: dict[str, int]
) -> None:
    seen = observe(candidate)
    launch, measured = (run_gates(seen, when) for when in ("launch", "measured"))

    assert (launch.fatal, measured.fatal) == (None, None)
    assert launch.effective == effective
    # ngram-map-k learns which of its drafts were wrong, and small models loop: both are true.
    assert set(launch.flags) <= {"answers_not_remembered"}
    assert set(measured.flags) <= {"text_repetition"}


@pytest.mark.parametrize("kind", ["ngram-simple", "ngram-map-k", "ngram-mod"])
def test_an_ngram_drafter_drafts_on_every_canary(kind: str) -> None:
    assert all(canary.draft_n > 0 for canary in observe(replace(PLAIN, spec=kind)).canaries)


def test_a_server_that_does_not_draft_is_caught() -> None:
    report = run_gates(replace(observe(PLAIN), candidate=DFLASH), "launch")

    assert report.fatal is not None
    assert report.fatal.detail == "speculation_engaged"
