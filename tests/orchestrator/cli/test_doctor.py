"""`orchestrate doctor`: this machine, a live server, and exit codes by severity."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.cli import database_check, doctor
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene
from tests.workers.doctor.server import metrics
from tests.workers.doctor.server.answering import Answer, answering, llama
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.doctor.server import watch
from workers.gpu.nvml import Inventory

QUEUE = Answer(metrics.llama({"requests_deferred": 3}))


class Content:
    """A check that finds nothing wrong."""

    name = "content"
    looks_at = "nothing"

    def check(self, host: Host) -> Iterator[Finding]:
        """Fine."""
        yield Finding(self.name, Severity.OK, Confidence.HIGH, "fine.")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("workers.doctor.host.run.all_checks", lambda: (Content(),))
    monkeypatch.setattr(watch, "_LOOKS", 4)
    monkeypatch.chdir(tmp_path)


def findings(storage: str | None) -> list[Finding]:
    return list(database_check.DatabaseCheck(storage).check(Host(Inventory())))


def test_a_healthy_machine_ends_with_0(orchestrate: Caller) -> None:
    said = orchestrate("doctor")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "ok      content: fine.",
        "ok      database: no orchestrate.db here yet; a sweep makes one.",
    ]


def test_a_database_that_cannot_be_opened_is_an_error(orchestrate: Caller, tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, but a text that is long enough")
    said = orchestrate("doctor", "--storage", "notes.db", "--json")
    assert said.code == 7
    last = json.loads(said.out)["findings"][-1]
    assert (last["rule"], last["severity"]) == ("database", "error")
    assert last["recommendation"]


def test_a_database_with_sweeps_is_fine(swept: Scene) -> None:
    (one,) = findings(str(swept.storage))
    assert (one.severity, one.evidence.endswith("1 sweeps.")) == (Severity.OK, True)


def test_a_server_with_a_fault_ends_with_6(orchestrate: Caller) -> None:
    with answering(llama(QUEUE)) as url:
        said = orchestrate("doctor", "--url", url, "--window", "1s")
    assert (said.code, said.err) == (6, "")
    lines = said.out.splitlines()
    assert lines[0] == f"{url}: llama.cpp, b11434, m.gguf, ctx 4,096 × 1 slots"
    assert lines[1].startswith("warning queue_pressure: requests waited at 100% of the looks")
    assert "Not judged: preemption: the server does not tell preemptions." in lines


def test_json_has_the_server_its_findings_and_what_was_not_judged(orchestrate: Caller) -> None:
    with answering(llama(QUEUE, QUEUE, Answer(status=0))) as url:
        said = orchestrate("doctor", "--url", url, "--window", "1s", "--json")
    found = json.loads(said.out)
    assert said.code == 7
    assert found["server"]["kind"] == "llama.cpp"
    assert [one["rule"] for one in found["findings"]] == ["server_gone", "queue_pressure"]
    assert {"rule", "reason"} == set(found["unchecked"][0])


def test_a_sweep_that_did_not_measure_it_is_said(orchestrate: Caller, swept: Scene) -> None:
    arguments = ("--window", "1s", "--storage", swept.storage)
    with answering(llama(Answer(metrics.llama({})))) as url:
        said = orchestrate("doctor", "--url", url, *arguments)
    assert said.code == 0
    assert "Nothing is wrong by what was looked at." in said.out
    assert "Not judged: measured_rate: " in said.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--url", "localhost:8080"), "Write: --url http://localhost:8080."),
        (("--url", "http://127.0.0.1:9", "--window", "10"), "10s"),
        (("--url", "http://127.0.0.1:9", "--window", "2000min"), "too long"),
        (("--url", "http://127.0.0.1:9", "--storage", "none.db"), "none.db"),
        (("--url", "http://127.0.0.1:9"), "Nothing answers at http://127.0.0.1:9"),
    ],
)
def test_bad_input_is_one_sentence(
    orchestrate: Caller, arguments: tuple[str, ...], words: str
) -> None:
    said = orchestrate("doctor", *arguments)
    assert (said.code, words in said.sentence) == (2, True)


def test_the_exit_codes_are_those_of_the_document() -> None:
    text = (Path(__file__).parents[3] / "docs" / "doctor.md").read_text(encoding="utf-8")
    for severity, code in doctor.EXIT_CODES.items():
        assert f"| {severity} | {code} |" in text
