"""A candidate as a command line: everything said, nothing silently dropped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.candidate import Candidate
from tests.workers.dialects.texts import TEXTS, dialect
from workers.contract.failure import FailureKind
from workers.contract.reports import RigKind
from workers.dialects.arguments import arguments, command_line, scoring_arguments
from workers.engines.base import Assets, EngineError

ASSETS = Assets(Path("m.gguf"), Path("d.gguf"))
PLAIN = Candidate("m", ctx=2048, kv_k="q8_0", kv_v="q5_1")
DFLASH = replace(PLAIN, spec="draft-dflash", n_max=4, drafter="d")


def words(name: str, candidate: Candidate, kind: RigKind = RigKind.CUDA) -> list[str]:
    return arguments(dialect(name), candidate, ASSETS, kind, threads=8, verbosity=4)


def line(name: str, candidate: Candidate, kind: RigKind = RigKind.CUDA) -> str:
    return " ".join(words(name, candidate, kind))


def failure(name: str, candidate: Candidate) -> FailureKind:
    with pytest.raises(EngineError) as raised:
        words(name, candidate)
    assert raised.value.hint
    return raised.value.diagnosis.kind


def test_mainline() -> None:
    assert line("mainline", DFLASH) == (
        "-m m.gguf -md d.gguf --spec-type draft-dflash --spec-draft-n-max 4 "
        "--spec-draft-p-min 0 -ctk q8_0 -ctv q5_1 -fa on -fit off -np 1 -c 2048 -b 2048 -ub 512 "
        "-ngl all -ngld all -t 8 --cache-ram 0 --metrics --slots --no-ui -lv 4"
    )


def test_bee_04_turns_its_adaptive_controller_off() -> None:
    assert "--spec-dm-controller off" in line("bee_04", DFLASH)
    assert "--spec-dm-controller profit" in line("bee_04", replace(DFLASH, controller="on"))
    assert "--spec-dm-controller" not in line("bee_04", PLAIN)


def test_bee_early_names_the_kind_its_own_way() -> None:
    assert "--spec-type dflash --spec-draft-n-max 4" in line("bee_early", DFLASH)
    assert "--no-spec-dm-adaptive" in line("bee_early", DFLASH)


def test_ik_llama_says_the_lengths_with_the_kind() -> None:
    assert "--spec-type dflash:n_max=4,p_min=0 " in line("ik_llama", DFLASH)


def test_ik_llama_repeats_the_flag_for_a_second_kind() -> None:
    both = replace(DFLASH, spec="draft-dflash,ngram-mod")
    assert "--spec-type dflash:n_max=4,p_min=0 --spec-type ngram-mod " in line("ik_llama", both)


def test_legacy_drafts_by_naming_a_drafter() -> None:
    simple = replace(DFLASH, spec="draft-simple")
    assert "-md d.gguf --draft-max 4 --draft-p-min 0 " in line("legacy", simple)
    assert "--spec-type" not in line("legacy", simple)


def test_flash_attention_was_a_switch_once() -> None:
    assert " -fa -np 1 " in line("legacy_2024", PLAIN)


def test_all_layers_were_a_number_once() -> None:
    assert "-ngl 999" in line("legacy_2024", PLAIN)


def test_a_kind_is_known_by_its_other_name() -> None:
    assert line("bee_early", replace(DFLASH, spec="dflash")) == line("bee_early", DFLASH)


def test_no_speculation_is_said_where_it_can_be() -> None:
    assert "--spec-type none" in line("mainline", PLAIN)
    assert "--spec-type" not in line("legacy_2024", PLAIN)


def test_a_cpu_rig_uses_no_gpu() -> None:
    assert "-dev none -ngl 0 -ngld 0" in line("mainline", DFLASH, RigKind.CPU)


def test_a_build_without_gpu_flags_runs_on_a_cpu_rig_only() -> None:
    assert "-ngl" not in line("ik_llama_cpu", PLAIN, RigKind.CPU)
    assert failure("ik_llama_cpu", PLAIN) is FailureKind.CAPABILITY_MISSING


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ngram-mod", "--spec-type ngram-mod --spec-ngram-mod-n-max 9 "),
        ("ngram-simple", "--spec-type ngram-simple --spec-ngram-simple-size-m 9 "),
        ("draft-mtp", "--spec-type draft-mtp --spec-draft-n-max 9 "),
        ("draft-dflash,ngram-mod", "--spec-type draft-dflash,ngram-mod --spec-draft-n-max 9 "),
    ],
)
def test_each_kind_has_its_own_draft_length(spec: str, said: str) -> None:
    assert said in line("mainline", replace(DFLASH, spec=spec, n_max=9))


MISSING = [
    ("mainline", replace(PLAIN, kv_k="turbo3")),
    ("mainline", replace(PLAIN, kv_v="q3_0")),
    ("mainline", replace(DFLASH, draft_kv_k="kvarn4")),
    ("mainline", replace(DFLASH, controller="on")),
    ("mainline", replace(PLAIN, spec="suffix")),
    ("mainline", replace(PLAIN, spec="ngram-cache", n_max=4)),
    ("mainline", replace(PLAIN, spec="ngram-mod", p_min=0.5)),
    ("mainline", replace(PLAIN, spec="ngram-mod,ngram-simple", n_max=4)),
    ("mainline", replace(PLAIN, load_mode="telepathy")),
    ("bee_04", replace(PLAIN, kv_k="turbo3_tcq")),
    ("bee_early", replace(DFLASH, spec="dflash,ngram-mod")),
    ("legacy", DFLASH),
    ("legacy_2024", replace(PLAIN, n_cpu_moe=4)),
    ("legacy_2024", replace(DFLASH, spec="draft-simple", n_min=1)),
    ("legacy", replace(PLAIN, load_mode="dio")),
]


@pytest.mark.parametrize(("name", "candidate"), MISSING)
def test_what_a_build_lacks_is_an_error(name: str, candidate: Candidate) -> None:
    assert failure(name, candidate) is FailureKind.CAPABILITY_MISSING


def test_a_drafting_kind_needs_a_drafter() -> None:
    with pytest.raises(EngineError) as raised:
        command_line(DFLASH, "m.gguf", None, dialect("mainline"))
    assert raised.value.diagnosis.kind is FailureKind.INVALID_CONFIG


def test_extra_flags_come_last() -> None:
    assert line("mainline", replace(PLAIN, flags="--jinja --chat-template 'my one'")).endswith(
        "-lv 4 --jinja --chat-template my one"
    )


@pytest.mark.parametrize("flags", ["-c 4096", "--port 80", "-ngl 3", "--spec-type=none"])
def test_extra_flags_cannot_change_what_is_recorded(flags: str) -> None:
    assert failure("mainline", replace(PLAIN, flags=flags)) is FailureKind.INVALID_CONFIG


def test_placement_is_passed_on() -> None:
    placed = replace(
        PLAIN, split_mode="row", tensor_split="60,40", n_cpu_moe=3, override_tensor="exps=CPU"
    )
    assert "-sm row -ts 60,40 -ncmoe 3 -ot exps=CPU" in line("mainline", placed)


def test_the_drafter_has_types_and_a_device_of_its_own() -> None:
    placed = replace(DFLASH, draft_kv_k="q8_0", draft_kv_v="q4_0", draft_device="CUDA1")
    said = line("mainline", placed)
    assert "-ctkd q8_0 -ctvd q4_0" in said
    assert "-devd CUDA1" in said


@pytest.mark.parametrize(
    ("name", "mode", "said"),
    [
        ("mainline", "none", "--load-mode none"),
        ("legacy", "none", "--no-mmap"),
        ("legacy", "mlock", "--mlock"),
    ],
)
def test_load_modes(name: str, mode: str, said: str) -> None:
    assert said in line(name, replace(PLAIN, load_mode=mode))


def test_an_exported_command_has_no_port_and_nothing_for_measuring() -> None:
    command = command_line(DFLASH, "m.gguf", "d.gguf", dialect("mainline"), binary="/opt/ls")
    assert command[0] == "/opt/ls"
    assert not {"--port", "--host", "-lv", "--metrics", "--cache-ram", "-t"} & set(command)


def test_a_scoring_tool_gets_no_server_and_no_speculation() -> None:
    said = scoring_arguments(dialect("mainline"), DFLASH, ASSETS, RigKind.CUDA, 8)
    assert not {"-np", "-md", "--spec-type", "--metrics"} & set(said)
    assert "-ctk q8_0 -ctv q5_1" in " ".join(said)


candidates = st.builds(
    Candidate,
    model=st.just("m"),
    kv_k=st.sampled_from(["f16", "q8_0", "turbo4", "kvarn2"]),
    kv_v=st.sampled_from(["f16", "q5_1", "q8_KV"]),
    ctx=st.integers(64, 1 << 20),
    spec=st.sampled_from(["none", "draft-simple", "draft-dflash", "dflash", "ngram-mod", "x"]),
    drafter=st.just("d"),
    n_max=st.none() | st.integers(1, 64),
    n_min=st.none() | st.integers(0, 4),
    p_min=st.none() | st.floats(0, 1),
    draft_kv_k=st.none() | st.sampled_from(["f16", "q4_0"]),
    controller=st.none() | st.sampled_from(["on", "off"]),
    ngl=st.sampled_from(["all", "12"]),
    split_mode=st.none() | st.just("layer"),
    n_cpu_moe=st.none() | st.integers(0, 8),
    load_mode=st.none() | st.sampled_from(["mmap", "none", "mlock", "dio"]),
).map(Candidate.canonical)


@given(st.sampled_from(TEXTS), candidates, st.sampled_from(RigKind))
def test_every_setting_is_said_or_refused(name: str, candidate: Candidate, kind: RigKind) -> None:
    chosen = dialect(name)
    try:
        said = arguments(chosen, candidate, ASSETS, kind, threads=2)
    except EngineError as error:
        assert error.diagnosis.kind is FailureKind.CAPABILITY_MISSING
        return
    flags = {word for word in said if word.startswith("-")}
    assert flags <= chosen.known
    assert len(flags) == len([word for word in said if word.startswith("-")])
    for setting in ("kv_k", "kv_v", "ctx", "n_max", "n_min", "draft_kv_k", "split_mode"):
        value = getattr(candidate, setting)
        assert value is None or any(str(value) in word for word in said)
