"""Finding and reading spaces; every error names file, line, key and the nearest valid name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_spaces.errors import SpaceError
from search_spaces.load import builtin_names, find, load, loads
from search_spaces.source import MAX_BYTES
from tests.search_spaces.spaces import HEAD, problem, problem_in, problem_of

TINY = f"{HEAD}fixed: {{model: m}}\n"


def refused(reference: str | Path) -> str:
    with pytest.raises(SpaceError) as caught:
        load(str(reference))
    return str(caught.value)


def test_a_space_is_found_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(TINY)
    assert load(str(path)).name == "tiny"


@pytest.mark.parametrize("reference", ["kv_dflash", "kv_dflash.yaml", "kv_dflash.yml"])
def test_a_builtin_space_is_found_by_name(
    reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(reference).name == "kv_dflash"


def test_a_file_hides_the_builtin_space_of_its_name_and_a_directory_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kv_dflash").mkdir()
    assert load("kv_dflash").name == "kv_dflash"
    Path("kv_dflash.yaml").write_text(TINY)
    assert load("kv_dflash.yaml").name == "tiny"


def test_a_home_directory_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.yaml").write_text(TINY)
    assert find("~/mine.yaml") == tmp_path / "mine.yaml"


@pytest.mark.parametrize("name", builtin_names())
def test_every_builtin_space_loads_under_its_own_name(name: str) -> None:
    assert load(name).name == name


def test_a_missing_file_names_the_nearest_builtin_space() -> None:
    assert refused("kv_dflsh.yaml") == (
        "no file 'kv_dflsh.yaml', and no builtin space of that name. Did you mean 'kv_dflash'?"
    )


@pytest.mark.parametrize("reference", ["", ".", "/"])
def test_a_directory_is_not_a_space(reference: str) -> None:
    assert "is a directory. Name the YAML file in it." in refused(reference)


@pytest.mark.parametrize("reference", ["a\0b", "x" * 5000, "~nobody-of-that-name/x.yaml", "\ud800"])
def test_a_reference_that_can_be_no_path_is_refused(reference: str) -> None:
    refused(reference).encode()


def test_text_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(TINY.encode("utf-16"))
    assert refused(path) == f"{path}: the file is not UTF-8 text."


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    with path.open("wb") as file:
        file.truncate(10**12)
    assert refused(path) == f"{path}: the file is larger than {MAX_BYTES:,} bytes."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(TINY)
    path.chmod(0)
    assert refused(path) == f"{path}: cannot be read: Permission denied."


def test_an_error_in_a_file_names_file_line_key_and_the_nearest_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: x\nobjectives:\n  - tok_s\n  - pppl\nfixed: {model: m}\n")
    assert refused(path) == (
        f"{path}:4: objectives.pppl: unknown metric 'pppl'. Did you mean 'ppl'?"
    )


@pytest.mark.parametrize("text", ["[name, objectives]", "just text", "5", "null", "- a: 1"])
def test_a_space_is_a_mapping(text: str) -> None:
    error = problem(f"# a comment\n{text}")
    assert (error.message, error.line) == ("a space is a mapping of keys.", 2)


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("objectivs: [tok_s]", "objectivs", "objectives"),
        ("engines: {e: {kind: llama_server, pth: x}}", "engines.e.pth", "path"),
        ("parameters: {ctx: {min: 64, max: 128, stp: 64}}", "parameters.ctx.stp", "step"),
        ("baseline: {fxi: {}}", "baseline.fxi", "fix"),
        ("budget: {trails: 3}", "budget.trails", "trials"),
        ("measure: {trougput: {}}", "measure.trougput", "throughput"),
        ("measure: {throughput: {promts: 3}}", "measure.throughput.promts", "prompts"),
        ("measure: {perplexity: {chunk: 3}}", "measure.perplexity.chunk", "chunks"),
        ("measure: {divergence: {refernce: a/b}}", "measure.divergence.refernce", "reference"),
        ("measure: {memory: {interval: 3}}", "measure.memory.interval", "interval_ms"),
    ],
)
def test_an_unknown_key_at_any_level_names_the_nearest(text: str, key: str, hint: str) -> None:
    error = problem_in(f"\n\n{text}")
    assert error.message == f"unknown key {key.split('.')[-1]!r}."
    assert (error.key, error.line, error.hint) == (key, 6, f"Did you mean {hint!r}?")


def test_an_unknown_key_near_none_lists_the_valid_ones() -> None:
    assert problem_in("budget: {zzz: 3}").hint == "Valid names: minutes, trials."


def test_an_unknown_key_comes_before_what_follows_from_it() -> None:
    assert problem("nmae: x\nobjectives: [tok_s]").message == "unknown key 'nmae'."


@pytest.mark.parametrize(
    ("body", "key", "message"),
    [
        ("title: 5", "title", "5 is not a text."),
        ("schema: 2", "schema", "this version reads schema 1."),
        ("schema: true", "schema", "True is not a whole number."),
        ("schema: '1'", "schema", "'1' is not a whole number."),
        ("budget: {trials: true}", "budget.trials", "True is not a whole number."),
        ("budget: {trials: '9'}", "budget.trials", "'9' is not a whole number."),
        ("budget: {trials: 9.0}", "budget.trials", "9.0 is not a whole number."),
        ("budget: {trials: 0}", "budget.trials", "0 should be greater than or equal to 1."),
        ("budget: {minutes: -1}", "budget.minutes", "-1 should be greater than 0."),
        ("budget: {minutes: true}", "budget.minutes", "True is not a number."),
        ("budget: [9]", "budget", "[9] is not a mapping of keys."),
        ("forbid: ctx > 9", "forbid", "'ctx > 9' is not a list."),
        ("constraints: [5]", "constraints.0", "5 is not a text."),
        ("baseline: {per: model}", "baseline.per", "'model' is not a list."),
        ("parameters: [ctx]", "parameters", "['ctx'] is not a mapping of keys."),
        ("measure: {throughput: {predict: 1}}", "measure.throughput.predict", "1 should be"),
        ("measure: {throughput: {suite: ''}}", "measure.throughput.suite", "'' is an empty text."),
        ("measure: {throughput: }", "measure.throughput", "None is not a mapping of keys."),
        ("engines: {e: {path: 5}}", "engines.e.path", "5 is not a text."),
        ("engines: {e: {path: ''}}", "engines.e.path", "'' is an empty text."),
        ("engines: {e: {}}", "engines.e", "an engine of kind llama_server needs a path."),
        ("engines: {e: {kind: embedded, path: x}}", "engines.e", "takes no path."),
    ],
)
def test_a_value_of_the_wrong_type_names_its_key(body: str, key: str, message: str) -> None:
    error = problem_in(f"\n{body}")
    assert message in error.message
    assert (error.file, error.line, error.key) == ("my.yaml", 5, key)


def test_a_word_that_is_none_of_the_valid_ones_names_the_nearest() -> None:
    error = problem_in("engines: {e: {kind: lama_server, path: x}}")
    assert error.message == "'lama_server' is not 'embedded', 'llama_server' or 'replay'."
    assert (error.key, error.hint) == ("engines.e.kind", "Did you mean 'llama_server'?")
    error = problem("name: x\nobjectives: {tok_s: maximise}\nfixed: {model: m}")
    assert error.message == "'maximise' is not 'maximize' or 'minimize'."
    assert (error.key, error.hint) == ("objectives.tok_s", "Did you mean 'maximize'?")


@pytest.mark.parametrize("key", ["name", "objectives"])
def test_what_every_space_needs(key: str) -> None:
    text = "\n".join(line for line in TINY.splitlines() if not line.startswith(key))
    error = problem(text)
    assert (error.message, error.key) == (f"the key {key!r} is missing.", key)


@pytest.mark.parametrize("name", ["-x", "a b", "a/b", '"x\\n"', "x" * 65, "''"])
def test_a_name_can_be_a_file_name(name: str) -> None:
    error = problem(f"name: {name}\nobjectives: [tok_s]\nfixed: {{model: m}}")
    assert error.key == "name"
    assert "is not a name (letters, digits" in error.message


def test_long_values_and_names_are_cut() -> None:
    assert len(problem_in(f"budget: {{trials: {'x' * 9000}}}").message) < 120
    assert len(problem_of(f"{'x' * 120}: [1]").message) < 120


def test_names_of_types_as_keys_are_keys() -> None:
    assert problem_of("int: 5").key == "parameters.int"


def test_the_text_of_an_error_without_a_file_starts_with_the_key() -> None:
    assert str(SpaceError("is odd.", key="a.b", hint="Do c.")) == "a.b: is odd. Do c."
    with pytest.raises(SpaceError, match=r"^<text>:1: nmae: unknown key"):
        loads("nmae: x")
