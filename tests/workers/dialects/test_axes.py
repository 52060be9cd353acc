"""Every axis from the YAML of a space to the command line of a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_spaces.load import loads
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments
from workers.assumed.engines import HELP
from workers.contract.failure import FailureKind
from workers.contract.reports import RigKind
from workers.dialects.arguments import arguments
from workers.dialects.choose import choose
from workers.engines.base import Assets, EngineError

TEXT = """
name: axes
engines: {{server: {{path: llama-server}}}}
variants: {{plain: "", numa: "--numa distribute --prio 2"}}
fixed: {{engine: server, model: m.gguf{fixed}}}
parameters: {{{axes}}}
objectives: {{tok_s: maximize}}
"""
DRAFTS = ", spec: draft-dflash, drafter: d.gguf, n_max: 3"


def command_lines(build: str, axes: str, fixed: str = "") -> list[str]:
    """What each candidate is launched with, on a rig with cards."""
    dialect = choose((HELP / f"{build}.txt").read_text(encoding="utf-8"))
    assert dialect is not None
    space = loads(TEXT.format(axes=axes, fixed=fixed))
    assets = Assets(Path("/m.gguf"), Path("/d.gguf"))
    return [
        " ".join(arguments(dialect, candidate_of(assignment), assets, RigKind.CUDA, 8))
        for assignment in assignments(space)
    ]


@pytest.mark.parametrize(
    ("axes", "fixed", "expected"),
    [
        ('tensor_split: ["24,24", "28,20"]', "", ["-ts 24,24", "-ts 28,20"]),
        ("split_mode: [layer, row, none]", "", ["-sm layer", "-sm row", "-sm none"]),
        ("n_cpu_moe: {min: 30, max: 31}", "", ["-ncmoe 30", "-ncmoe 31"]),
        (
            "override_tensor: ['ffn_.*_exps=CPU']",
            "",
            ["-ot ffn_.*_exps=CPU"],
        ),
        ("batch: [512, 2048]", "", ["-b 512", "-b 2048"]),
        ("ubatch: [256, 1024]", "", ["-ub 256", "-ub 1024"]),
        ("draft_kv: [q8_0/q4_0]", DRAFTS, ["-ctkd q8_0 -ctvd q4_0"]),
        ("draft_kv_k: [q8_0]", DRAFTS, ["-ctkd q8_0"]),
        ("draft_device: [CUDA1]", DRAFTS, ["-devd CUDA1"]),
        ("p_min: [0, 0.75]", DRAFTS, ["--spec-draft-p-min 0 ", "--spec-draft-p-min 0.75"]),
        ("n_min: [0, 2]", DRAFTS, ["--spec-draft-n-min 0", "--spec-draft-n-min 2"]),
        ("threads: [4]", "", ["-t 4"]),
        ("ngl: [all, '20']", "", ["-ngl all", "-ngl 20"]),
    ],
)
def test_each_value_reaches_the_command_line(axes: str, fixed: str, expected: list[str]) -> None:
    lines = command_lines("mainline", axes, fixed)
    assert len(lines) == len(expected)
    assert [
        part for line, part in zip(lines, expected, strict=True) if part not in f"{line} "
    ] == []


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ("mainline", ["--load-mode mmap", "--load-mode none", "--load-mode mlock"]),
        ("legacy", ["-b ", "--no-mmap", "--mlock"]),  # mapping is what it does unless told not to
        ("bee_early", ["-b ", "--no-mmap", "--mlock"]),
    ],
)
def test_load_modes_are_spelt_as_the_build_spells_them(build: str, expected: list[str]) -> None:
    lines = command_lines(build, "load_mode: [mmap, none, mlock]")
    assert [part for line, part in zip(lines, expected, strict=True) if part not in line] == []
    assert "mmap" not in lines[0].replace("--load-mode mmap", "")


def test_several_kinds_of_speculation_are_one_list() -> None:
    (line,) = command_lines(
        "mainline", "spec: ['draft-dflash,ngram-mod']", ", drafter: d.gguf, n_max: 3"
    )
    assert "--spec-type draft-dflash,ngram-mod" in line
    assert "--spec-draft-n-max 3" in line


def test_a_build_that_takes_one_kind_refuses_a_list() -> None:
    with pytest.raises(EngineError) as caught:
        command_lines(
            "bee_early", "spec: ['draft-dflash,ngram-mod']", ", drafter: d.gguf, n_max: 3"
        )
    assert caught.value.diagnosis.kind is FailureKind.CAPABILITY_MISSING


def test_the_adaptive_controller_is_off_unless_asked_for() -> None:
    off, on = command_lines("bee_04", 'controller: ["off", "on"]', DRAFTS)
    assert "--spec-dm-controller off" in off
    assert "--spec-dm-controller profit" in on
    (unset,) = command_lines("bee_04", "ctx: [4096]", DRAFTS)
    assert "--spec-dm-controller off" in unset


def test_the_engine_is_an_axis() -> None:
    text = TEXT.format(axes="engine: [old, new]", fixed="").replace(
        "{server: {path: llama-server}}", "{old: {path: b9550}, new: {path: b9551}}"
    )
    space = loads(text.replace("engine: server, ", ""))
    assert [candidate_of(a).engine for a in assignments(space)] == ["old", "new"]


def test_a_variant_ends_the_command_line_with_its_flags() -> None:
    plain, numa = command_lines("mainline", "flags: [plain, numa]")
    assert numa == f"{plain} --numa distribute --prio 2"


def test_a_variant_may_not_set_what_a_parameter_sets() -> None:
    """Else the record would say one thing, and the engine do another."""
    with pytest.raises(EngineError) as caught:
        command_lines("mainline", "flags: ['-c 8192']")
    assert caught.value.diagnosis.kind is FailureKind.INVALID_CONFIG
