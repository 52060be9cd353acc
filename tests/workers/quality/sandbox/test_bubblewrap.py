"""What a program in the sandbox can reach, use up and leave behind: nothing that matters."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.workers.quality import needs
from workers.quality.sandbox.base import Command
from workers.quality.sandbox.limits import PROGRAM, Limits
from workers.quality.sandbox.running import Running, running

SHORT = replace(PROGRAM, wall_s=3.0)


def said(program: str, limits: Limits = PROGRAM, terminal: bool = False) -> str:
    """Everything a program prints, its errors too."""
    caught = f"import sys\nsys.stderr = sys.stdout\n{program}"
    sandbox = needs.sandbox()
    argv = (sandbox.python, "-I", "program.py")
    command = Command(argv, {"program.py": caught}, limits, terminal)
    with running(sandbox, command) as started:
        return started.read_all(100_000).decode(errors="replace")


def ended(program: str, limits: Limits) -> Running:
    sandbox = needs.sandbox()
    argv = (sandbox.python, "-I", "program.py")
    with running(sandbox, Command(argv, {"program.py": program}, limits)) as started:
        started.ends_within(limits.wall_s + 10)
    return started


def test_it_sees_no_home_no_environment_and_no_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    told = said("import os\nprint(dict(os.environ), os.listdir('/'), os.listdir('/etc'))")

    assert "hidden" not in told
    for name in ("home", "root", "var", "passwd", "shadow", "hostname"):
        assert f"'{name}'" not in told


def test_it_sees_no_other_process() -> None:
    told = said("import os\nprint(sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))")
    assert max(eval_list(told)) < 10


def eval_list(told: str) -> list[int]:
    return [int(number) for number in told.strip().strip("[]").split(",")]


def test_it_reaches_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        port = server.getsockname()[1]
        told = said(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)")
        assert "Error" in told
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize("place", ["/x", "/usr/x", "/dev/x", "/etc/x", "/given/x", "/inside.py"])
def test_it_writes_nowhere_but_in_its_own_directory(place: str) -> None:
    assert "Read-only" in said(f"open({place!r}, 'w')")


def test_its_own_directory_is_gone_with_it(tmp_path: Path) -> None:
    marker = Path("/tmp") / f"orchestrate-marker-{os.getpid()}"
    assert "here" in said(f"open({str(marker)!r}, 'w')\nprint('here')")
    assert not marker.exists()


def test_a_file_and_all_files_together_are_bounded() -> None:
    one = "f = open('x', 'wb')\nfor _ in range(500): f.write(bytes(1 << 20))"
    assert "too large" in said(one)
    many = "for n in range(50):\n    open(str(n), 'wb').write(bytes(10 << 20))"
    assert "No space left" in said(many)


def test_memory_is_bounded() -> None:
    assert "MemoryError" in said("x = []\nwhile True: x.append(bytearray(20_000_000))")


def test_memory_of_many_processes_is_bounded_together() -> None:
    hoard = (
        "import os, time\n"
        "for _ in range(5): os.fork()\n"
        "x = bytearray(b'x' * 100_000_000)\ntime.sleep(60)"
    )
    assert ended(hoard, PROGRAM).ended_by == f"held more than {PROGRAM.memory_mib} MiB"


def test_a_fork_bomb_burns_out() -> None:
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    started = ended(bomb, SHORT)

    assert started.ended_by is not None
    assert [process for process in psutil.process_iter(["name"]) if is_ours(process)] == []


def is_ours(process: psutil.Process) -> bool:
    """A bwrap that this process started."""
    try:
        return process.info["name"] == "bwrap" and process.ppid() == os.getpid()
    except psutil.NoSuchProcess:
        return False


def test_a_loop_without_end_is_ended() -> None:
    assert ended("while True: pass", SHORT).ended_by == "still ran after 3 s"


def test_output_without_end_is_cut() -> None:
    assert len(said("while True: print('x' * 1000)")) == 100_000


def test_a_terminal_is_one() -> None:
    told = said(
        "import os\nprint(os.isatty(0), os.get_terminal_size(), open('/dev/tty'))", terminal=True
    )
    assert "True" in told and "columns=100, lines=40" in told and "/dev/tty" in told


def test_no_privilege_is_left() -> None:
    told = said("print(open('/proc/self/status').read())\nimport os\nos.setuid(0)")
    assert "CapEff:\t0000000000000000" in told


def test_the_exit_status_comes_through() -> None:
    assert ended("import sys\nsys.exit(7)", SHORT).returncode == 7
