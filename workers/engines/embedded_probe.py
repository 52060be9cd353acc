"""What the embedded engine is here: its two packages, their hashes, their abilities."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from workers.contract.reports import Build, Capabilities, EngineReport
from workers.engines.capture import capture
from workers.engines.environment import config_warnings, scrubbed
from workers.engines.identity import file_sha256, files_sha256, is_library, libraries_in

_INSTALL = "Install it into this environment: pip install xllamacpp."


def probe(name: str, command: Sequence[str], extra_env: Mapping[str, str]) -> EngineReport:
    """The report of the embedded engine. `command` prints the child's findings as JSON."""
    server, logits = _server_build(), _logits_build()
    if server is None:
        problem = f"the package xllamacpp is not installed. {_INSTALL}"
        return EngineReport(name, "embedded", problem=problem)
    found = _capabilities(tuple(command), tuple(extra_env.items()), server.sha256)
    if isinstance(found, str):
        return EngineReport(name, "embedded", (server,), problem=f"xllamacpp {found}. {_INSTALL}")
    warnings = list(config_warnings())
    if logits is None:
        warnings.append(f"llama-cpp-python is missing: no perplexity, no divergence. {_INSTALL}")
    builds = (server,) if logits is None else (server, logits)
    return EngineReport(name, "embedded", builds, found, warnings=tuple(warnings))


@functools.lru_cache(maxsize=8)
def _capabilities(
    command: tuple[str, ...], extra_env: tuple[tuple[str, str], ...], _sha256: str
) -> Capabilities | str:
    """What the child found, or what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="orchestrate-config-") as home:
        said = capture(command, scrubbed(None, Path(home)) | dict(extra_env), timeout_s=60.0)
    try:
        # The last line: a library may print a greeting before.
        found = json.loads(said.text.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return said.problem or f"cannot be used (exit status {said.rc}): {said.text[-300:].strip()}"
    devices = tuple(found["devices"])
    return Capabilities(
        dialect="embedded",
        kv_types=tuple(found["kv_types"]),
        draft_kv_types=tuple(found["kv_types"]),
        spec_types=tuple(found["spec_types"]),
        devices=devices,
        # On the CPU every pair has a kernel; what a GPU build was compiled with is not told.
        fa_pairs=("all",) if all("CPU" in device for device in devices) else None,
        metrics=True,
        combines_specs=True,
        notes=(found["system"].strip(),),
    )


def _server_build() -> Build | None:
    extension = next(iter(_libraries("xllamacpp", "")), None)
    if extension is None:
        return None
    version = importlib.metadata.version("xllamacpp")
    label, path = f"xllamacpp {version}", str(extension)
    return Build("server", label, file_sha256(extension), path)


def _logits_build() -> Build | None:
    libraries = _libraries("llama_cpp", "lib")
    if not libraries:
        return None
    version = importlib.metadata.version("llama-cpp-python")
    path = str(libraries[0].parent)
    return Build("logits", f"llama-cpp-python {version}", files_sha256(libraries), path)


def _libraries(package: str, folder: str) -> list[Path]:
    """A package's compiled parts, found without importing it (its import may crash)."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return []
    root = Path(next(iter(spec.submodule_search_locations)))
    return sorted(path for path in libraries_in(root / folder) if is_library(path))
