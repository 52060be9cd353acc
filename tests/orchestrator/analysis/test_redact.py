"""What says whose machine it was is taken out; everything else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.redact import Redactor

HOME = "/home"  # apart, so that no path of a home folder stands in this file
REDACTOR = Redactor.of(["tower", "nas"], [f"{HOME}/ann/my models/m.gguf", "/data/b/m.gguf"])

words = st.text("abcdefghijklmnop", min_size=5, max_size=10).map(lambda word: f"zq{word}")


@pytest.mark.parametrize(
    ("private", "left"),
    [
        ("-m /srv/llm/x.gguf", "-m /removed/x.gguf"),
        ("--model=/srv/llm/x.gguf", "--model=/removed/x.gguf"),
        ("~/models/x.gguf", "/removed/x.gguf"),
        ("../models/x.gguf", "/removed/x.gguf"),
        ("/a/b/x:/c/d/y", "/removed/x:/removed/y"),
        ("file:///srv/llm/x.gguf", "file:///removed/x.gguf"),
        (f"'{HOME}/ann/my models/m.gguf'", "'/removed/m.gguf'"),
        ("/data/b/m.gguf", "/removed/2/m.gguf"),
        (r"C:\Users\ann\x.gguf", r"C:\removed\x.gguf"),
        (f"cd {HOME}/bob", "cd /removed"),
        ("on tower, by Ann", "on host-1, by user"),
        ("nas.local", "host-2.local"),
        ("GPU-01234567-89ab-cdef-0123-456789abcdef", "removed"),
        ("from 192.168.1.20:8080", "from removed:8080"),
        ("--api-key hunter2 -c 4096", "--api-key removed -c 4096"),
        ("token hf_abcdefghijklmnopqrst", "token removed"),
    ],
)
def test_what_is_private_goes(private: str, left: str) -> None:
    assert REDACTOR.text(private) == left


@pytest.mark.parametrize(
    "public",
    [
        "http://127.0.0.1:8080/v1/chat/completions",
        "K/V q8_0/q5_1 at 46.3 tok/s",
        "hf:owner/repo/file.gguf and builtin:smollm2",
        "/usr/lib/libcuda.so.1 and /dev/null",
        "2026.10.11549.1",
        "towering annotations",
        "/removed/2/m.gguf",
    ],
)
def test_what_is_not_private_stays(public: str) -> None:
    assert REDACTOR.text(public) == public


def test_words_of_ours_stay_even_where_a_user_is_called_so() -> None:
    redactor = Redactor.of(["server"], [f"{HOME}/spec/x.gguf"])
    assert redactor.text("server spec") == "server spec"


def test_keys_that_are_names_of_fields_stay_and_others_do_not() -> None:
    data = {"tower": 1, "/srv/llm/x.gguf": ["/srv/y.gguf", 2.5, None]}
    assert REDACTOR.data(data) == {"tower": 1, "/removed/x.gguf": ["/removed/y.gguf", 2.5, None]}


@given(words, words, words, words, st.sampled_from(["{}", "x={}", "'{}'", "a {} b", "[{}]"]))
def test_nothing_private_is_left_wherever_it_stands(
    user: str, host: str, folder: str, file: str, around: str
) -> None:
    path = f"{HOME}/{user}/{folder}/{file}.gguf"
    text = around.format(f"{host}: {path} ({user}@{host}) {path}.log")
    clean = Redactor.of([host], [path]).text(text)
    assert not any(private in clean for private in (user, host, folder) if private not in file)
    assert Redactor.of([host], [path]).text(clean) == clean
