"""A child process: heard line by line, never left behind, its end told in words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workers.models.child import ChildEnd, Message, run_child

MODULE = "tests.workers.logits.scripted_child"
ROOT = Path(__file__).parents[3]

PARENT = f"""
import sys
from pathlib import Path
from workers.models.child import run_child
run_child({MODULE!r}, {{}}, Path(sys.argv[1]), print, environment={{"SCRIPT": "is_silent"}})
"""


def play(script: str, log: Path, **options: float) -> tuple[ChildEnd, list[Message]]:
    heard: list[Message] = []
    end = run_child(MODULE, {}, log, heard.append, environment={"SCRIPT": script}, **options)
    return end, heard


def test_messages_arrive_in_order_and_library_chatter_goes_to_the_log(tmp_path: Path) -> None:
    end, heard = play("completes", tmp_path / "log")
    assert end.returncode == 0
    assert [message["type"] for message in heard] == ["plan", "chunk", "chunk", "run"]
    assert "a library prints on stdout" in (tmp_path / "log").read_text()


def test_an_abort_is_told_by_its_signal_and_its_last_words(tmp_path: Path) -> None:
    end, heard = play("aborts", tmp_path / "log")
    assert end.words == "killed by SIGABRT"
    assert "GGML_ASSERT" in end.log_tail
    assert len(heard) == 2


def test_silence_ends_it(tmp_path: Path) -> None:
    end, _ = play("is_silent", tmp_path / "log", silence_s=0.01)
    assert end.hung
    assert "no sign of life" in end.words


def test_what_a_listener_raises_ends_it(tmp_path: Path) -> None:
    def listen(message: Message) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_child(MODULE, {}, tmp_path / "log", listen, environment={"SCRIPT": "completes"})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills children with their parent")
def test_it_dies_with_its_parent_even_if_that_is_killed(tmp_path: Path) -> None:
    # The log is a pipe: it ends when the last process that holds it, the child, is gone.
    os.mkfifo(tmp_path / "log")
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path / "log")], cwd=ROOT)
    with (tmp_path / "log").open("rb") as log:
        assert log.readline() == b"ready\n"
        parent.send_signal(signal.SIGKILL)
        assert log.read() == b""
    parent.wait()


def test_settings_of_the_shell_do_not_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LLAMA_ARG_CTX_SIZE", "GGML_CUDA_FORCE_MMQ", "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1")
    _, heard = play("tells_its_environment", tmp_path / "log")
    seen = heard[0]["values"]
    assert not [name for name in seen if name.startswith(("LLAMA_", "GGML_", "OMP_"))]
    assert seen["CUDA_VISIBLE_DEVICES"] == "GPU-1"


def test_a_package_of_the_working_directory_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "workers").mkdir()
    (tmp_path / "workers" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    monkeypatch.chdir(tmp_path)
    end, _ = play("completes", tmp_path / "log")
    assert end.returncode == 0


def test_a_child_whose_parent_is_another_one_does_not_start(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", MODULE],
        input=json.dumps({"parent": 1}),
        env={**os.environ, "SCRIPT": "completes"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert "the parent died" in done.stderr
    assert done.stdout == ""
