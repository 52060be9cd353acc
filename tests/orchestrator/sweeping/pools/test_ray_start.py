"""A cluster that is not there, or not any more, is a sentence and an exit code."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from orchestrator.sweeping.pools import ray_start
from orchestrator.sweeping.pools.ray_start import GONE_AFTER, ClusterError, Head, join


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Something that answers, as a head does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def address_of(server: socket.socket) -> str:
    """Where it listens."""
    return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "No head of a Ray cluster answers at 127.0.0.1:1 (Connection refused)."),
        ("lab1", "lab1 is no HOST:PORT."),
        ("ray://lab1:10001", "ray://lab1:10001 is no address of a cluster's head."),
    ],
)
def test_what_is_no_head_is_a_sentence(address: str, said: str) -> None:
    pytest.importorskip("ray")
    with pytest.raises(ClusterError) as caught:
        join(address)
    assert caught.value.message == said
    assert caught.value.hint
    assert caught.value.exit_code == 9


def test_a_head_that_stops_answering_is_given_a_few_chances(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_start, "LOOK_EVERY_S", 0.0)
    head = Head(address_of(listener))
    head.look()
    listener.close()
    for _ in range(GONE_AFTER - 1):
        head.look()
    assert not head.gone
    with pytest.raises(ClusterError, match="is gone; what was measured is kept"):
        head.look()
    assert head.gone


def test_a_head_is_not_looked_at_all_the_time(listener: socket.socket) -> None:
    head = Head(address_of(listener))
    head.look()
    listener.close()
    for _ in range(GONE_AFTER + 1):
        head.look()
    assert not head.gone
