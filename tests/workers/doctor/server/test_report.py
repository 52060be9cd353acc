"""Servers that are odd, refuse, or go away: clear words, and what was seen is kept."""

from __future__ import annotations

import pytest

from tests.workers.doctor.server import metrics
from tests.workers.doctor.server.answering import PROPS, Answer, Script, answering, as_json, llama
from workers.doctor.finding import Severity
from workers.doctor.server.address import read_address
from workers.doctor.server.client import ServerError
from workers.doctor.server.report import ServerReport, look_at

IDLE = Answer(metrics.llama({"prompt_tokens_total": 9}))
OFF = as_json({"error": {"code": 501, "message": "Start it with `--metrics`"}}, 501)
GONE = Answer(status=0)


def look(script: Script, key: str | None = None, given: str | None = None) -> ServerReport:
    """Two looks, one right after the other."""
    with answering(script, key) as url:
        return look_at(read_address(url), 0, given)


def found(report: ServerReport) -> dict[str, Severity]:
    return {finding.rule: finding.severity for finding in report.findings}


def test_a_healthy_idle_server_has_no_finding() -> None:
    report = look(llama(IDLE))
    assert found(report) == {}
    assert report.notes[0].startswith("No request came meanwhile")
    server = report.scene.server
    assert (server.build, server.model, server.ctx) == ("b11434", "/models/m.gguf", 4096)


def test_a_vllm_server_says_its_version_and_model() -> None:
    models = {"data": [{"id": "short", "root": "org/model", "max_model_len": 8192}]}
    script = {
        "/metrics": [Answer(metrics.vllm({}))],
        "/version": [as_json({"version": "0.32.0"})],
        "/v1/models": [as_json(models)],
    }
    server = look(script).scene.server
    assert (server.kind, server.build, server.model) == ("vLLM", "0.32.0", "org/model")


def test_without_metrics_slots_are_looked_at() -> None:
    full = [{"id": 0, "n_ctx": 100, "n_prompt_tokens": 99, "is_processing": True}]
    report = look({"/metrics": [OFF], "/props": [as_json(PROPS)], "/slots": [as_json(full)]})
    assert found(report) == {"no_metrics": Severity.WARNING, "kv_pressure": Severity.WARNING}
    assert "--metrics" in report.findings[0].recommendation


def test_a_server_that_goes_away_is_judged_by_what_was_seen() -> None:
    busy = Answer(metrics.llama({"requests_deferred": 3}))
    report = look(llama(busy, GONE))
    assert found(report) == {"server_gone": Severity.ERROR}
    assert len(report.scene.window.scrapes) == 1


def test_metrics_that_turn_into_something_else_end_the_look() -> None:
    report = look(llama(IDLE, Answer("<html>restarting</html>")))
    assert found(report) == {"server_gone": Severity.ERROR}


def test_a_counter_that_goes_back_is_a_restart() -> None:
    report = look(llama(IDLE, Answer(metrics.llama({"prompt_tokens_total": 1}))))
    assert found(report) == {"restarted": Severity.WARNING}


def test_renamed_counters_leave_their_rules_unjudged() -> None:
    renamed = Answer(IDLE.body.replace("requests_deferred", "requests_parked"))
    report = look(llama(renamed))
    assert "queue_pressure" in {one.rule for one in report.unchecked}
    assert found(report) == {}


def test_a_key_that_is_asked_for_can_be_given() -> None:
    assert found(look(llama(IDLE), key="right", given="right")) == {}


@pytest.mark.parametrize(
    ("script", "key", "words"),
    [
        ({"/": [Answer("hello")]}, None, "neither llama-server nor vLLM"),
        ({"/metrics": [Answer("<html>")]}, None, "neither llama-server nor vLLM"),
        ({"/metrics": [Answer("go_threads 4\n")]}, None, "neither llama-server nor vLLM"),
        ({"/metrics": [Answer("Loading model", 503)]}, None, "is still loading its model"),
        ({"/metrics": [GONE]}, None, "does not answer like a web server"),
        (llama(IDLE), "secret", "refuses without the right key"),
    ],
)
def test_who_cannot_be_looked_at_is_told_in_words(
    script: Script, key: str | None, words: str
) -> None:
    with pytest.raises(ServerError, match=words) as caught:
        look(script, key)
    assert caught.value.hint


def test_https_where_http_is_spoken() -> None:
    with (
        answering(llama(IDLE)) as url,
        pytest.raises(ServerError, match="does not speak https"),
    ):
        look_at(read_address(url.replace("http:", "https:")), 0)


def test_an_answer_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.doctor.server.client._TIMEOUT_S", 0.1)
    with pytest.raises(ServerError, match="did not answer within"):
        look(llama(Answer(IDLE.body, drips=True)))


def test_nobody_answers() -> None:
    with answering(llama(IDLE)) as url:
        pass
    with pytest.raises(ServerError, match="Nothing answers"):
        look_at(read_address(url), 0)


@pytest.mark.parametrize("body", ["[]", '"text"', "{}", '{"default_generation_settings": 5}'])
def test_odd_properties_are_read_as_far_as_they_go(body: str) -> None:
    report = look({"/metrics": [IDLE], "/props": [Answer(body)], "/slots": [Answer("{}")]})
    assert report.scene.server.ctx is None
