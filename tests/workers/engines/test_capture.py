"""Running a command that may be anything, within limits."""

from __future__ import annotations

import os

from tests.workers.engines import fakes
from workers.engines.capture import Captured, capture


def run(command: list[str], timeout_s: float = 20.0, max_bytes: int = 10_000) -> Captured:
    return capture(command, {"PATH": os.environ["PATH"]}, timeout_s, max_bytes)


def test_both_streams_are_read() -> None:
    said = run(fakes.program("import sys\nprint('out', flush=True)\nprint('err', file=sys.stderr)"))
    assert said.text.split() == ["out", "err"]
    assert (said.rc, said.problem) == (0, None)


def test_an_exit_status_is_no_problem_by_itself() -> None:
    assert run(fakes.fail("usage", rc=2)) == Captured("usage\n", 2)


def test_a_hang_ends_at_the_limit() -> None:
    said = run(fakes.program(fakes.HANG), timeout_s=0.5)
    assert said.problem == "did not end within 0.5 s"
    assert "still loading" in said.text


def test_endless_output_ends_at_the_limit() -> None:
    said = run(fakes.program("while True: print('x' * 1000)"), max_bytes=5000)
    assert said.problem == "printed more than 5,000 bytes"
    assert len(said.text) == 5000


def test_input_is_empty() -> None:
    assert run(fakes.program("import sys\nprint(repr(sys.stdin.read()))")).text == "''\n"
