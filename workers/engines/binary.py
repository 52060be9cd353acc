"""Finding a build's programs on this host, and what it is made of."""

from __future__ import annotations

import mmap
import os
import shutil
from pathlib import Path

from workers.engines.identity import files_sha256, libraries_in

SERVER, PERPLEXITY = "llama-server", "llama-perplexity"

_FOLDERS = ("", "bin", "build/bin", "build/bin/Release")
_ENDING = ".exe" if os.name == "nt" else ""


class NoBinaryError(Exception):
    """Nothing to run at a path; the text says why, as a part of a sentence."""


def find_server(path: str) -> Path:
    """The llama-server of a binary's path, a directory, or a name on PATH.

    Raises NoBinaryError for what cannot be run.
    """
    given = Path(path).expanduser()
    if given.is_dir():
        found = _in(given, SERVER)
        if found is None:
            raise NoBinaryError(f"no {SERVER} in {given}, its bin/ or build/bin/")
    elif given.exists():
        found = given
    else:
        on_path = shutil.which(path) if os.sep not in path else None
        if on_path is None:
            raise NoBinaryError(f"there is no file, directory or command {path}")
        found = Path(on_path)
    found = found.absolute()
    if not os.access(found, os.X_OK):
        raise NoBinaryError(f"{found} is not executable")
    return found


def beside(server: Path, name: str) -> Path | None:
    """Another program of the same build, None where it was not built."""
    found = server.with_name(name + _ENDING)
    return found if found.is_file() and os.access(found, os.X_OK) else None


def build_sha256(program: Path) -> str:
    """Hash of a program and the libraries of its build. Raises OSError if it is unreadable.

    A modern llama-server is a wrapper of 15 KB: the code that makes the numbers lies in the
    libraries beside it. Those of the system (the C library, CUDA) are no part of a build.
    """
    return files_sha256([program, *_libraries_of(program)])


def _in(folder: Path, name: str) -> Path | None:
    candidates = (folder / part / (name + _ENDING) for part in _FOLDERS)
    return next((path for path in candidates if path.is_file()), None)


def _libraries_of(program: Path) -> set[Path]:
    """The libraries that a program of a build loads, itself or through another.

    A library is loaded when its name stands in the file that loads it, which holds for ELF,
    Mach-O and PE alike. Backends of ggml are looked up by name only when it runs: all count.
    """
    program = program.resolve()
    around = [
        *libraries_in(program.parent),
        *libraries_in(program.parent / ".." / "lib"),
    ]
    loaded = {path.resolve() for path in around if "ggml" in path.name}
    left = {path.name: path.resolve() for path in around if path.resolve() not in loaded}
    waiting = [program]
    while waiting:
        inside = _names_in(waiting.pop(), left)
        for name in inside:
            library = left.pop(name)
            if library not in loaded:
                loaded.add(library)
                waiting.append(library)
    return loaded


def _names_in(file: Path, names: dict[str, Path]) -> list[str]:
    if file.stat().st_size == 0:
        return []
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return [name for name in names if data.find(name.encode() + b"\0") >= 0]
