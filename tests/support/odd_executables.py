"""Files that a user may name as an engine and that are none, each odd in its own way."""

from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

UNKNOWN_HELP = "usage: frobnicate [-h] [--speed N]\n\n  --speed N   how fast (default: 3)\n"


@dataclass(frozen=True)
class Odd:
    """How to make it, and a part of what probing must say about it."""

    make: Callable[[Path], Path]
    problem: str


def script(path: Path, body: str) -> Path:
    """An executable Python script; it runs with this interpreter."""
    path.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def pid_file(folder: Path) -> Path:
    """Where `hangs` and `leaves_a_child` write the ids of their processes."""
    return folder / "pids"


def _not_executable(folder: Path) -> Path:
    path = folder / "llama-server"
    path.write_text("#!/bin/sh\necho hello\n")
    return path


def _text_file(folder: Path) -> Path:
    path = folder / "notes.txt"
    path.write_text("remember the milk\n")
    path.chmod(0o755)
    return path


def _empty(folder: Path) -> Path:
    path = folder / "empty"
    path.touch()
    path.chmod(0o755)
    return path


def _hangs(folder: Path) -> Path:
    note = f"open({str(pid_file(folder))!r}, 'a').write(f'{{os.getpid()}} ')"
    return script(folder / "hangs", f"import os, time\n{note}\ntime.sleep(600)\n")


def _leaves_a_child(folder: Path) -> Path:
    """Ends at once, while a child of it keeps its output open."""
    body = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid_file(folder))!r}, 'a').write(f'{{child.pid}} ')\n"
        "print('started something')\n"
    )
    return script(folder / "leaves_a_child", body)


def _garbage(folder: Path) -> Path:
    body = "import random, sys\nsys.stdout.buffer.write(random.Random(1).randbytes(20_000))\n"
    return script(folder / "garbage", body)


def _endless(folder: Path) -> Path:
    return script(folder / "endless", "while True: print('-m, --model FNAME' * 1000)\n")


def _killed(folder: Path) -> Path:
    return script(folder / "killed", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")


def _lacks_a_library(folder: Path) -> Path:
    """A real program whose C library has been renamed to one that does not exist."""
    original = shutil.which("true")
    if sys.platform != "linux" or original is None or Path(original).is_symlink():
        pytest.skip("needs a dynamically linked /bin/true")
    data = Path(original).read_bytes()
    if b"libc.so.6\0" not in data:
        pytest.skip("needs a dynamically linked /bin/true")
    path = folder / "lacks_a_library"
    path.write_bytes(data.replace(b"libc.so.6\0", b"libx.so.6\0"))
    path.chmod(0o755)
    return path


def _directory(folder: Path) -> Path:
    path = folder / "some_directory"
    (path / "bin").mkdir(parents=True)
    (path / "bin" / "llama-cli").touch()
    return path


def _not_llama(folder: Path) -> Path:
    body = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model')\n"
    return script(folder / "not_llama.py", body + "p.add_argument('--port')\np.parse_args()\n")


def _unknown_help(folder: Path) -> Path:
    return script(folder / "unknown_help", f"print({UNKNOWN_HELP!r})\n")


def _nowhere(folder: Path) -> Path:
    return folder / "does" / "not" / "exist"


ODD: Mapping[str, Odd] = {
    "not_executable": Odd(_not_executable, "is not executable"),
    "text_file": Odd(_text_file, "cannot execute"),
    "empty_file": Odd(_empty, "cannot execute"),
    "hangs": Odd(_hangs, "did not end within"),
    "leaves_a_child": Odd(_leaves_a_child, "not that of a llama-server"),
    "garbage": Odd(_garbage, "not that of a llama-server"),
    "endless": Odd(_endless, "printed more than"),
    "killed_by_a_signal": Odd(_killed, "killed by signal 11"),
    "lacks_a_library": Odd(_lacks_a_library, "needs the library libx.so.6"),
    "directory_without_a_server": Odd(_directory, "no llama-server in"),
    "not_llama": Odd(_not_llama, "not that of a llama-server"),
    "unknown_help": Odd(_unknown_help, "not that of a llama-server"),
    "nowhere": Odd(_nowhere, "there is no file, directory or command"),
}
