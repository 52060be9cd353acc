"""Addresses, command lines and slots, as people and servers write them."""

from __future__ import annotations

import pytest

from tests.workers.doctor.server.metrics import looks_of, slot
from workers.doctor.server.address import AddressError, read_address
from workers.doctor.server.command import command_of, read_command
from workers.doctor.server.slots import read_slots, seconds_per_token


@pytest.mark.parametrize(
    ("text", "base", "port"),
    [
        ("http://host:8080", "http://host:8080", 8080),
        ("http://host:8080/metrics", "http://host:8080", 8080),
        ("https://host/llm/v1/", "https://host/llm", 443),
        ("http://[::1]:1", "http://[::1]:1", 1),
    ],
)
def test_an_address(text: str, base: str, port: int) -> None:
    found = read_address(text)
    assert (found.base, found.port) == (base, port)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("localhost:8080", "has no scheme"),
        ("ftp://host", "neither http nor https"),
        ("http://", "names no host"),
        ("http://host:port", "is no address"),
        ("http://me:secret@host", "ends up in logs"),
    ],
)
def test_no_address(text: str, word: str) -> None:
    with pytest.raises(AddressError, match=word) as caught:
        read_address(text)
    assert "secret" not in str(caught.value)


def test_a_command_line_in_any_spelling() -> None:
    line = "server -m a.gguf --draft-max 3 --spec-draft-n-max=5 -ctk q8_0 --spec-type dflash"
    found = read_command(line.split())
    assert found.settings["spec"] == "draft-dflash"
    assert (found.number("n_max"), found.settings["kv_k"]) == (5, "q8_0")


def test_a_setting_that_is_no_number() -> None:
    assert read_command(["s", "--draft-max"]).number("n_max") is None


def test_the_command_of_another_machine_is_not_known() -> None:
    assert command_of("example.invalid", 80) is None


@pytest.mark.parametrize("body", [None, {}, "x", [None, 1, {"next_token": 5, "n_ctx": "many"}]])
def test_odd_slots_are_read_as_far_as_they_go(body: object) -> None:
    assert all(found.decoded == 0 for found in read_slots(body))


def test_the_time_of_a_prompt_does_not_count_as_generation() -> None:
    looks = [[slot(decoded=0)], [slot(decoded=0)], [slot(decoded=10)], [slot(decoded=20)]]
    assert seconds_per_token(looks_of(looks)) == (0.1, 10)


def test_another_request_in_the_slot_is_another_answer() -> None:
    looks = [[slot(decoded=5, task=1)], [slot(decoded=50, task=2)]]
    assert seconds_per_token(looks_of(looks)) is None
