"""Asking a binary what it is and what it can do, whatever it turns out to be."""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workers.contract.reports import Capabilities
from workers.dialects.choose import choose
from workers.dialects.dialect import Dialect
from workers.engines import probe_cache
from workers.engines.attention_pairs import ALL, attention_pairs
from workers.engines.capture import Captured, capture
from workers.engines.environment import scrubbed

_VERSION = re.compile(r"^version: (.+)$", re.MULTILINE)
_BUILT = re.compile(r"^built with .+$", re.MULTILINE)
_DEVICE = re.compile(r"^\s+(\S+): (.+?)(?: \(\d+ MiB.*)?$", re.MULTILINE)
_LOADER = re.compile(r"error while loading shared libraries: (\S+?):|Library not loaded: (\S+)")


@dataclass(frozen=True, slots=True)
class Found:
    """What a binary said. `problem` is None exactly where there is a dialect."""

    version: str = ""
    dialect: Dialect | None = None
    capabilities: Capabilities | None = None
    problem: str | None = None


def probe_binary(binary: Path, sha256: str, timeout_s: float = 20.0) -> Found:
    """Never raises and never hangs; at most four short runs, each with a limit.

    Help and version are remembered by the binary's hash, on disk too; the devices and the pairs
    that depend on them are asked for once in every process, since they belong to the machine.
    """
    return _probe_binary(str(binary), sha256, timeout_s)


@functools.lru_cache(maxsize=32)
def _probe_binary(binary: str, sha256: str, timeout_s: float) -> Found:
    texts = probe_cache.read(sha256)
    if texts is None:
        help_ = _ask(binary, ["--help"], timeout_s)
        if help_.problem is not None or choose(help_.text) is None:
            return Found(problem=_problem(help_))
        version = _ask(binary, ["--version"], timeout_s)
        texts = probe_cache.Texts(help_.text, version.text if version.problem is None else "")
        probe_cache.write(sha256, texts)
    dialect = choose(texts.help)
    if dialect is None:
        return Found(problem="its --help is not that of a llama-server this program knows")
    asked = "--list-devices" in dialect.known
    devices = _devices(_ask(binary, ["--list-devices"], timeout_s)) if asked else None
    version_line = _VERSION.search(texts.version)
    return Found(
        version=version_line[1].strip() if version_line else "unknown version",
        dialect=dialect,
        capabilities=capabilities_of(
            dialect, devices, texts.version, _pairs(binary, dialect, devices, timeout_s)
        ),
    )


def _ask(binary: str, words: Sequence[str], timeout_s: float) -> Captured:
    with tempfile.TemporaryDirectory(prefix="orchestrate-config-") as home:
        return capture([binary, *words], scrubbed(None, Path(home)), timeout_s)


def _pairs(
    binary: str, dialect: Dialect, devices: tuple[str, ...] | None, timeout_s: float
) -> tuple[str, ...] | None:
    """Without a GPU every pair has a kernel. What a GPU build was made with it says when it
    starts to load: a model that is not there ends that load at once.
    """
    if not devices:
        return ALL if devices == () else None
    if "verbosity" not in dialect.flags:
        return None
    with tempfile.TemporaryDirectory(prefix="orchestrate-probe-") as empty:
        nothing = str(Path(empty) / "no-model.gguf")
        said = _ask(binary, [dialect.flags["verbosity"], "4", "-m", nothing], timeout_s)
    return attention_pairs(said.text)


def capabilities_of(
    dialect: Dialect,
    devices: tuple[str, ...] | None,
    version: str,
    fa_pairs: tuple[str, ...] | None,
) -> Capabilities:
    """What a build can do, from what it said; `version` is what --version prints."""
    notes = [match[0] for match in _BUILT.finditer(version)]
    if devices is None:
        notes.append("does not tell its devices")
    if dialect.table.kv_types and dialect.kv_types == dialect.table.kv_types:
        notes.append("does not list its KV types; these are the ones of its source")
    return Capabilities(
        dialect=dialect.name,
        kv_types=dialect.kv_types,
        draft_kv_types=dialect.draft_kv_types,
        spec_types=dialect.spec_types,
        flags=dict(dialect.flags),
        devices=devices or (),
        fa_pairs=fa_pairs,
        per_request_n_max=dialect.table.per_request_n_max,
        controller="controller_on" in dialect.flags,
        metrics="metrics" in dialect.flags,
        combines_specs=dialect.table.combines,
        draft_ctx=dialect.table.draft_ctx,
        notes=tuple(notes),
    )


def _devices(said: Captured) -> tuple[str, ...] | None:
    if said.problem is not None or said.rc != 0:
        return None
    after = said.text.partition("Available devices:")[2]
    return tuple(f"{name}: {what}" for name, what in _DEVICE.findall(after))


def _problem(said: Captured) -> str:
    """What is wrong with a binary, for a person, from how it answered --help."""
    missing = _LOADER.search(said.text)
    if missing:
        library = missing[1] or missing[2]
        return f"it needs the library {library}, which is not found (see LD_LIBRARY_PATH)"
    if said.problem is not None:
        return f"--help {said.problem}"
    if said.rc is not None and said.rc < 0:
        return f"--help was killed by signal {-said.rc}"
    first = next((line.strip() for line in said.text.splitlines() if line.strip()), "nothing")
    if said.rc == 126 and first.startswith("cannot execute"):
        return first
    readable = "".join(character for character in first if character.isprintable())[:120]
    return f"its --help is not that of a llama-server this program knows: {readable!r}"
