"""Every export starts a real llama-server that drafts with a real DFlash drafter.

The models lie in a folder with as awkward a name as the format can hold. Where a consumer is not
here (llama-swap, a container, systemd as init), the words that by its documentation it would run
are run.
"""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.registry import export
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.exports.readers import (
    compose_word,
    llama_swap_command,
    systemd_command,
)
from tests.orchestrator.analysis.exports.real_server import (
    drafted,
    environment,
    free_port,
    running,
)
from tests.orchestrator.analysis.synthetic import sweep
from tests.support.models import builtin_model, engine_binary, test_drafter
from workers.dialects.arguments import command_line
from workers.dialects.choose import recorded
from workers.engines.probe import probe_binary
from workers.models.hashing import file_hash

pytestmark = pytest.mark.engine

NAME = "best-512"
CANDIDATE = Candidate(
    *("m.gguf", "mine", "q8_0", "q8_0", 512, "draft-dflash", "d.gguf", 3), batch=256, threads=2
)


@dataclass(frozen=True)
class Start:
    """What a consumer runs: words, and variables beside the usual ones."""

    words: list[str]
    variables: Mapping[str, str] = field(default_factory=dict)


def listening(words: list[str], port: int) -> Start:
    return Start([*words, "--host", "127.0.0.1", "--port", str(port)])


def entry(text: str, *path: str) -> Any:
    found = YAML(typ="safe").load(io.StringIO(text))
    for name in path:
        found = found[name]
    return found


def by_shell(text: str, server: Path, port: int) -> Start:
    return Start(["sh", "-c", f"{text.rstrip()} --host 127.0.0.1 --port {port}"])


def by_env(text: str, server: Path, port: int) -> Start:
    """As `docker run --env-file` reads it: names and values as they stand."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    pairs = dict(line.split("=", 1) for line in lines)
    return Start(listening([str(server)], port).words, pairs)


def by_llama_swap(text: str, server: Path, port: int) -> Start:
    return Start(llama_swap_command(entry(text, "models", NAME, "cmd"), port))


def by_compose(text: str, server: Path, port: int) -> Start:
    """The command with each mount taken back to the file on the host, on our port."""
    service = entry(text, "services", NAME)
    host = {m["target"]: compose_word(m["source"]) for m in service["volumes"]}
    words = [host.get(word, compose_word(word)) for word in service["command"]]
    inside = {"0.0.0.0": "127.0.0.1", "8080": str(port)}
    return Start([str(server), *(inside.get(word, word) for word in words)])


def by_systemd(text: str, server: Path, port: int) -> Start:
    return listening(systemd_command(text), port)


def by_config(text: str, server: Path, port: int) -> Start:
    assert shlex.split(entry(text, NAME, "command")) == entry(text, NAME, "argv")
    return listening(entry(text, NAME, "argv"), port)


def by_json(text: str, server: Path, port: int) -> Start:
    return listening(json.loads(text)[0]["argv"], port)


CONSUMERS: dict[str, Callable[[str, Path, int], Start]] = {
    "command": by_shell,
    "compose": by_compose,
    "config": by_config,
    "env": by_env,
    "json": by_json,
    "llama-swap": by_llama_swap,
    "systemd": by_systemd,
}


def request(server: Path, folder: Path) -> ExportRequest:
    """The demo pair, in the dialect of this very build."""
    folder.mkdir()
    model, drafter = folder / "m.gguf", folder / "d.gguf"
    model.symlink_to(builtin_model())
    drafter.symlink_to(test_drafter("dflash-Q4_0"))
    found = probe_binary(server, file_hash(server))
    assert found.capabilities is not None, found.problem
    argv = command_line(CANDIDATE, model, drafter, recorded(found.capabilities), binary=str(server))
    record = replace(sweep()[0], candidate=CANDIDATE)
    return ExportRequest(record, tuple(argv), NAME, NAME, files=(str(model), str(drafter)))


@pytest.mark.parametrize("form", CONSUMERS)
def test_a_server_starts_from_the_export_and_drafts(form: str, tmp_path: Path) -> None:
    server, port = engine_binary("llama-server"), free_port()
    awkward = "it's 100% (here)" if form == "env" else "it's 100% $HOME ${PORT} (here)"
    text = export(form, [request(server, tmp_path / awkward)])
    start = CONSUMERS[form](text, server, port)
    variables = environment(server, tmp_path) | dict(start.variables)
    with running(start.words, variables, port, tmp_path / "log") as url:
        made, accepted = drafted(url)
    assert made > 0
    assert accepted > 0


def test_a_router_starts_the_preset_and_drafts(tmp_path: Path) -> None:
    server, port = engine_binary("llama-server"), free_port()
    preset = tmp_path / "models.ini"
    preset.write_text(export("ini", [request(server, tmp_path / "it's 100% $HOME (here)")]))
    start = listening([str(server), "--models-preset", str(preset)], port)
    with running(start.words, environment(server, tmp_path), port, tmp_path / "log") as url:
        made, accepted = drafted(url, NAME)
    assert made > 0
    assert accepted > 0
