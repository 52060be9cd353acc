"""A space that cannot be used: one sentence that names what is wrong, and no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller, Said
from tests.support.gguf_writer import write_dflash, write_gguf
from tests.support.script import Script
from tests.support.scripted_server import write_scripted_server

SPACE = """
name: mine
engines: {{mine: {{path: {folder}/llama-server}}}}
fixed: {{engine: mine, model: {folder}/{model}, drafter: {folder}/draft.gguf, ctx: {ctx}}}
parameters: {{kv: [{kv}], spec: [{spec}]}}
baseline: {{fix: {{}}, per: [rig, model]}}
objectives: [tok_s]
"""

Planner = Callable[..., Said]


@pytest.fixture
def plan(orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planner:
    """Plans a space with a scripted llama-server, a small model and a drafter for it."""
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path / "cache"))
    write_scripted_server(tmp_path / "llama-server", Script())
    write_gguf(tmp_path / "model.gguf", n_ctx_train=4096)
    write_dflash(tmp_path / "draft.gguf")

    def call(
        model: str = "model.gguf",
        kv: str = "q8_0/q8_0",
        spec: str = "draft-dflash",
        ctx: int = 1024,
        command: str = "plan",
    ) -> Said:
        text = SPACE.format(folder=tmp_path, model=model, kv=kv, spec=spec, ctx=ctx)
        (tmp_path / "mine.yaml").write_text(text)
        return orchestrate(command, "--space", tmp_path / "mine.yaml")

    return call


def out_because(said: Said) -> str:
    """The reason for which the space's only candidate is out."""
    assert said.code == 3
    sentence = said.sentence
    start, end = "No candidate of mine can run here: 1 of 1 are out: ", ". See them all "
    assert sentence.startswith(start)
    return sentence.removeprefix(start).partition(end)[0]


def test_the_space_of_these_tests_can_run(plan: Planner) -> None:
    said = plan()
    assert (said.code, said.err) == (0, "")
    assert ": 1 of 1 candidate can run; 1 trial, all of them; about " in said.out


def test_a_missing_model_names_its_neighbour(plan: Planner, tmp_path: Path) -> None:
    why = out_because(plan(model="modle.gguf"))
    assert why == (f"There is no model file {tmp_path / 'modle.gguf'}. Did you mean 'model.gguf'?")


def test_a_model_that_was_not_downloaded_whole(plan: Planner, tmp_path: Path) -> None:
    whole = (tmp_path / "model.gguf").read_bytes()
    (tmp_path / "half.gguf").write_bytes(whole[: len(whole) // 2])
    why = out_because(plan(model="half.gguf"))
    assert "half.gguf" in why
    assert "Download it again" in why


def test_a_drafter_for_another_vocabulary(plan: Planner, tmp_path: Path) -> None:
    write_gguf(tmp_path / "draft.gguf", vocab=[f"other{i}" for i in range(24)])
    why = out_because(plan(spec="draft-simple"))
    assert why.endswith("pick a drafter with the same vocabulary")


def test_a_drafter_for_a_target_of_another_width(plan: Planner, tmp_path: Path) -> None:
    write_dflash(tmp_path / "draft.gguf", n_embd=128)
    assert out_because(plan()).endswith("it was trained for another model")


def test_a_kv_type_that_the_engine_lacks(plan: Planner) -> None:
    why = out_because(plan(kv="q8_0/q5_2"))
    assert why.startswith("engine 'mine' has no KV type 'q5_2'. Did you mean 'q5_")


def test_a_speculation_that_the_engine_lacks(plan: Planner) -> None:
    why = out_because(plan(spec="draft-dlfash"))
    assert why == "engine 'mine' has no speculation 'draft-dlfash'. Did you mean 'draft-dflash'?"


def test_a_context_above_the_models_limit(plan: Planner) -> None:
    why = out_because(plan(ctx=8192))
    assert why == "ctx 8192 is above the model's limit of 4096; use a smaller ctx"


def test_an_engine_that_is_not_there(plan: Planner, tmp_path: Path) -> None:
    (tmp_path / "llama-server").unlink()
    assert f"{tmp_path / 'llama-server'}" in out_because(plan())


def test_the_plan_shows_every_reason_before_it_fails(plan: Planner) -> None:
    said = plan(kv="q8_0/q5_2, q8_1/q8_0, f16/f16", ctx=8192)
    assert said.code == 3
    assert said.err.count("\n") == 1
    rows = [line for line in said.out.splitlines() if line.lstrip().startswith("1   ")]
    assert len(rows) == 3


@pytest.mark.parametrize("command", ["plan", "sweep", "measure"])
def test_a_missing_space_gets_the_nearest_builtin(orchestrate: Caller, command: str) -> None:
    said = orchestrate(command, "--space", "kv_dflsh.yaml")
    assert (said.code, said.out) == (2, "")
    assert said.sentence == (
        "no file 'kv_dflsh.yaml', and no builtin space of that name. Did you mean 'kv_dflash'?"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: [", ":1: "),
        ("name: x\n\tobjectives: [tok_s]", ":2: "),
        ("- a list", ":1: a space is a mapping of keys."),
        ("name: x\nfixed: {model: m}\nobjctives: [tok_s]", "objectives"),
        ("name: x\nfixed: {model: m}\nobjectives: [tok]", "tok_s"),
        ("", ": "),
    ],
)
def test_a_broken_file_is_named_with_its_line(
    orchestrate: Caller, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(text)
    said = orchestrate("plan", "--space", file)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(str(file))
    assert says in said.sentence


def test_a_folder_is_no_space(orchestrate: Caller, tmp_path: Path) -> None:
    said = orchestrate("plan", "--space", tmp_path)
    assert (said.code, said.sentence) == (
        2,
        f"{str(tmp_path)!r} is a directory. Name the YAML file in it.",
    )


def test_a_file_that_is_no_text(orchestrate: Caller, tmp_path: Path) -> None:
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    said = orchestrate("plan", "--space", tmp_path / "binary.yaml")
    assert said.code == 2
    assert said.sentence.endswith("the file is not UTF-8 text.")
