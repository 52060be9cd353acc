"""A real llama-server (ORCHESTRATE_TEST_ENGINES names a directory that holds one): nothing is
found on an idle one, and a draft that it clamps is found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from tests.workers.gates.test_real_engine import DFLASH, ENGINES, PLAIN, serving
from workers.doctor.server.address import read_address
from workers.doctor.server.report import ServerReport, look_at
from workers.http.client import ServerClient

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not ENGINES, reason="ORCHESTRATE_TEST_ENGINES names no directory"),
]


@contextmanager
def loaded(candidate: Candidate, log: Path) -> Iterator[str]:
    """The URL of a server that has its model."""
    limit = time.monotonic() + 120.0
    with serving(candidate, log) as (url, _, _), ServerClient(url) as client:
        while not client.healthy():
            assert time.monotonic() < limit, log.read_text(errors="replace")[-2000:]
        yield url


def fired(report: ServerReport) -> set[str]:
    return {finding.rule for finding in report.findings}


def asking(url: str, requests: int) -> Callable[[float], None]:
    """Sends these requests between the first look and the next."""
    left = list(range(requests))

    def tick(_: float) -> None:
        with ServerClient(url, 300.0) as client:
            while left:
                client.completion(f"{left.pop()}: a quick sort in Python:", 40)

    return tick


def test_no_rule_fires_on_an_idle_healthy_server(tmp_path: Path) -> None:
    with loaded(PLAIN, tmp_path / "log") as url:
        report = look_at(read_address(url), 1.0)
    assert fired(report) == set()
    assert {one.rule for one in report.unchecked} == {"preemption", "slow_tokens"}
    assert report.scene.server.ctx is not None


def test_a_clamped_draft_is_found_on_a_server_that_drafts(tmp_path: Path) -> None:
    asked = replace(DFLASH, n_max=12)  # the drafter was trained for blocks of 8
    with loaded(asked, tmp_path / "log") as url:
        report = look_at(read_address(url), 0.5, tick=asking(url, 4))
    assert "draft_clamped" in fired(report)
    assert "draft_not_engaged" not in fired(report)
    assert report.scene.per_token_s()[1] == 160
