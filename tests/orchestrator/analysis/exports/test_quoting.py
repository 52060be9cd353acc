"""A path as hostile as a file system allows comes out of every format as it went in."""

from __future__ import annotations

import io
import shlex
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from ruamel.yaml import YAML

from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.registry import export
from tests.orchestrator.analysis.exports.readers import (
    compose_word,
    llama_swap_command,
    modelfile,
    preset_values,
    systemd_command,
)
from tests.orchestrator.analysis.exports.requests import hostile, request


def yaml(text: str) -> Any:
    return YAML(typ="safe").load(io.StringIO(text))


@given(hostile)
def test_llama_swap_splits_the_same_words(path: str) -> None:
    model = yaml(export("llama-swap", [request(path)]))["models"]["best-4k"]
    words = llama_swap_command(model["cmd"])
    assert words == [*request(path).argv, "--host", "127.0.0.1", "--port", "5800"]


@given(hostile)
def test_systemd_unquotes_the_same_words(path: str) -> None:
    assert systemd_command(export("systemd", [request(path)])) == list(request(path).argv)


@given(hostile)
def test_compose_mounts_the_same_file(path: str) -> None:
    service = yaml(export("compose", [request(path)]))["services"]["best-4k"]
    (mount,) = service["volumes"]
    assert compose_word(mount["source"]) == path
    assert mount["target"] == service["command"][1]
    assert all(compose_word(word) for word in service["command"])


@given(hostile)
def test_config_holds_the_same_words_twice(path: str) -> None:
    entry = yaml(export("config", [request(path)]))["best-4k"]
    assert entry["argv"] == list(request(path).argv)
    assert shlex.split(entry["command"]) == entry["argv"]


@given(hostile)
def test_a_modelfile_names_the_same_model(path: str) -> None:
    assert modelfile(export("ollama", [request(path)]))["FROM"] == path


@given(hostile)
def test_a_preset_holds_the_same_value_or_is_refused(path: str) -> None:
    try:
        text = export("ini", [request(path)])
    except ExportError as error:
        assert "cannot hold the value" in str(error)
        assert ";" in path or "#" in path
    else:
        assert preset_values(text)["model"] == path


@given(hostile)
def test_an_env_file_holds_the_same_value_or_is_refused(path: str) -> None:
    try:
        text = export("env", [request(path)])
    except ExportError as error:
        assert "disagree" in str(error)
        assert set(path) & set("\\$#")
    else:
        assert f"LLAMA_ARG_MODEL={path}" in text.splitlines()


def test_systemd_refuses_a_program_that_it_would_not_find() -> None:
    here = request()
    with pytest.raises(ExportError, match="needs the whole path"):
        export("systemd", [replace(here, argv=("./llama-server", *here.argv[1:]))])
