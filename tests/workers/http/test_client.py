"""The client against a real (scripted) server."""

from __future__ import annotations

import httpx
import pytest

from tests.support.script import Fault, Script
from tests.support.scripted_server import serving
from workers.http.client import ServerClient

ARGUMENTS = ["-m", "/models/target.gguf", "-c", "1000", "--metrics"]
DRAFTING = [
    *ARGUMENTS,
    *("--spec-type", "draft-dflash", "--spec-draft-model", "/models/d.gguf"),
    *("--spec-draft-n-max", "4"),
]


def test_a_loaded_server_is_healthy() -> None:
    with serving(Script(), ARGUMENTS) as served, ServerClient(served.url) as client:
        assert client.healthy()


def test_a_server_that_still_loads_is_not() -> None:
    script = Script(faults=(Fault.LOADS_FOR_EVER,))
    with serving(script, ARGUMENTS) as served, ServerClient(served.url) as client:
        assert not client.healthy()


def test_where_nothing_answers_nobody_is_healthy() -> None:
    with serving(Script(), ARGUMENTS) as served:
        url = served.url

    with ServerClient(url) as client:
        assert not client.healthy()


def test_properties_and_slots_are_what_the_server_says() -> None:
    with serving(Script(), DRAFTING) as served, ServerClient(served.url) as client:
        assert client.props()["model_path"] == "/models/target.gguf"
        assert client.slots() == [{"id": 0, "n_ctx": 1024, "speculative": True}]


def test_metrics_are_read_with_their_labels() -> None:
    with serving(Script(), DRAFTING) as served, ServerClient(served.url) as client:
        client.completion("a b c", 16)
        metrics = client.metrics()

    assert metrics["tokens_predicted_total"] == 16.0
    assert metrics["predicted_tokens_seconds"] == 12.5
    assert 'spec_decode_num_accepted_tokens_per_pos_total{position="0"}' in metrics


def test_a_build_without_metrics_has_none() -> None:
    with serving(Script(), ARGUMENTS[:-1]) as served, ServerClient(served.url) as client:
        assert client.metrics() == {}


def test_a_completion_has_the_asked_length_and_took_its_time() -> None:
    with serving(Script(), ARGUMENTS) as served, ServerClient(served.url) as client:
        done = client.completion("a b c", 24)

    assert (done.predicted_n, len(done.tokens), done.prompt_n) == (24, 24, 4)
    assert done.wall_ms >= done.prompt_ms + done.predicted_ms
    assert (done.draft_n, done.cache_n) == (0, 0)


def test_a_drafting_server_counts_its_drafts() -> None:
    with serving(Script(), DRAFTING) as served, ServerClient(served.url) as client:
        done = client.completion("a b c", 24)

    assert 0 < done.draft_n_accepted < done.draft_n


def test_a_prompt_is_asked_for_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    post = httpx.Client.post

    def spy(self: httpx.Client, url: str, **options: object) -> httpx.Response:
        body = options["json"]
        assert isinstance(body, dict)
        asked.append(body)
        return post(self, url, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(httpx.Client, "post", spy)
    with serving(Script(), ARGUMENTS) as served, ServerClient(served.url) as client:
        client.completion("a b c", 8)

    assert asked[0]["cache_prompt"] is False
    assert asked[0]["temperature"] == 0.0
    assert asked[0]["ignore_eos"] is True


def test_a_server_that_never_answers_is_given_up() -> None:
    script = Script(faults=(Fault.STUCK,))
    with (
        serving(script, ARGUMENTS) as served,
        ServerClient(served.url) as client,
        pytest.raises(httpx.TimeoutException),
    ):
        client.completion("a b c", 8, timeout_s=0.05)


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    with serving(Script(), ARGUMENTS) as served, ServerClient(served.url) as client:
        assert client.healthy()
