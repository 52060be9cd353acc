"""What a person would not post is taken out, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orchestrator.analysis.report.private import Redactor
from orchestrator.analysis.report.strings import with_strings
from workers.contract.failure import Diagnosis, FailureKind

BARE = Redactor()
# No name that is an ordinary word of the sentences below, or a placeholder's.
NAMES = st.text("bcdfghjklmnpqrstvwxyz0123456789", min_size=3, max_size=10).map("q{}".format)
FILES = st.text("abcdefghijkl-._", min_size=1, max_size=12).map("m{}.gguf".format)
FOLDERS = st.lists(NAMES, min_size=1, max_size=4)
HOMES = st.sampled_from(["/home", "/Users", "/mnt/data", "/srv", "/opt"])
WRAPPED = st.sampled_from(["{}", "load {} failed", "'{}'", '{{"model":"{}"}}', "-m={}", "({})"])


@given(HOMES, FOLDERS, FILES, WRAPPED)
def test_of_a_path_only_its_last_part_stays(
    home: str, folders: list[str], file: str, wrapped: str
) -> None:
    found = BARE(wrapped.format("/".join([home, *folders, file])))
    assert found == wrapped.format(f"/path/to/{file}")


@given(st.sampled_from("CDE"), FOLDERS, FILES, st.sampled_from(["\\", "/", "\\\\"]))
def test_so_it_is_on_windows(drive: str, folders: list[str], file: str, slash: str) -> None:
    path = f"{drive}:{slash}" + slash.join(["Users", "Bob Smith"[: 3 if slash == "/" else 9]])
    found = BARE(f"cannot open {path}{slash}{slash.join([*folders, file])}!")
    assert found == f"cannot open /path/to/{file}!"


@given(NAMES, NAMES, FILES, WRAPPED)
def test_users_and_hosts_are_not_named_wherever_they_stand(
    user: str, host: str, file: str, wrapped: str
) -> None:
    redact = Redactor(paths=frozenset({f"/home/{user}/{file}"}), hosts=frozenset({f"{host}.lan"}))
    found = redact(wrapped.format(f"{user}@{host} and {host}.lan: {user}-tuned {file}"))
    assert user not in found
    assert host not in found


@given(st.text(max_size=40), NAMES, NAMES)
@example("C:\\Users\\Bob Smith\\x.gguf \\\\server\\share\\y", "qqq", "qqq")
@example("file:///home/bob/x and ~/y/z and ~bob/k", "qqq", "qqq")
def test_twice_is_once(text: str, user: str, host: str) -> None:
    redact = Redactor(users=frozenset({user}), hosts=frozenset({host}))
    once = redact(f"{text} {user} {host}")
    assert redact(once) == once


@given(st.uuids(), WRAPPED)
def test_cards_are_not_told_apart_by_their_ids(identity: object, wrapped: str) -> None:
    assert str(identity) not in BARE(wrapped.format(f"GPU-{identity}"))
    assert str(identity) not in BARE(wrapped.format(identity))


@pytest.mark.parametrize(
    "text",
    [
        "K/V q8_0/q5_1 at 46.3 tok/s",
        "known bug of this build: x (https://github.com/ggml-org/llama.cpp/issues/123)",
        "builtin:smollm2-135m-Q4_1 and hf:unsloth/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf",
        "GET /health, POST /v1/completions, /metrics",
        "cannot open /dev/nvidia0; /proc/meminfo says 8 GiB",
        "driver 580.159.04, xllamacpp 2026.10.11549, listening on 127.0.0.1:8080",
        "wrong number of tensors; expected 81, got 58",
        "2026-11-30, 3.26× (3.1 to 3.4), +0.02 %",
        "-m /path/to/model.gguf",
        "NVIDIA GeForce RTX 4090 + RTX 3090",
        "78dcbbfcc861ee3377554325dc12864829a76ec3de6f1882886d4a82a2def7f5",
    ],
)
def test_what_tells_nothing_about_a_person_stays(text: str) -> None:
    redact = Redactor(users=frozenset({"root"}), hosts=frozenset({"localhost", "cpu"}))
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("~/models/a.gguf", "/path/to/a.gguf"),
        ("~bob/models/a.gguf", "/path/to/a.gguf"),
        ("file:///home/bob/a.gguf", "/path/to/a.gguf"),
        ("error:/home/bob/a.gguf", "error:/path/to/a.gguf"),
        ("\\\\server\\share\\a.gguf", "/path/to/a.gguf"),
        ("--api-key hunter2 -c 4096", "--api-key SECRET -c 4096"),
        ("token hf_abcdefghijklmnopqrst", "token SECRET"),
        ("worker at 192.168.1.20 was lost", "worker at ADDRESS was lost"),
    ],
)
def test_forms_of_what_is_private(text: str, left: str) -> None:
    assert BARE(text) == left


def test_known_paths_are_found_with_blanks_in_them_and_without_a_root() -> None:
    redact = Redactor(
        paths=frozenset({"/home/bob smith/my models/a b.gguf", "clients/acme/c.gguf"})
    )
    text = "'/home/bob smith/my models/a b.gguf' clients/acme/c.gguf of bob smith"
    assert redact(text) == "'/path/to/a b.gguf' /path/to/c.gguf of USER"


@dataclass(frozen=True)
class Nested:
    """Strings in all places that a report has them."""

    one: str
    many: tuple[str, ...]
    named: dict[str, str]
    inner: Diagnosis


def test_every_string_of_a_value_is_changed_and_no_key_or_word_of_ours() -> None:
    why = Diagnosis(FailureKind.TIMEOUT_HANG, "ab", "ab", True)
    changed = with_strings(Nested("ab", ("ab",), {"ab": "ab"}, why), lambda s: s.upper())
    assert changed == Nested(
        "AB", ("AB",), {"ab": "AB"}, Diagnosis(FailureKind.TIMEOUT_HANG, "AB", "AB", True)
    )


def test_placeholders_hold_no_pattern_of_their_own() -> None:
    assert re.fullmatch(r"/path/to/x", BARE(BARE("/a/b/x")))
