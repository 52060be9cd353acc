"""Launching: ready means that our own process answers; every failure has a diagnosis."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from tests.workers.engines import fakes
from tests.workers.engines.rigs import CPU, GPU
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines import launch
from workers.engines.base import EngineError
from workers.engines.launch import launched

TAKEN = "E srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: {port}"


def on_port(command: list[str]) -> Callable[[int], list[str]]:
    return lambda port: [*command, str(port)]


def diagnosis(command: list[str], log: Path, limit_s: float = 20.0) -> Diagnosis:
    with pytest.raises(EngineError) as raised, launched(on_port(command), CPU, log, limit_s):
        pass
    assert raised.value.phase is Phase.LOAD
    return raised.value.diagnosis


def test_it_is_ready_once_health_says_200(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with launched(on_port(fakes.serve(503, 503, 200)), CPU, log, 20) as running:
        assert running.alive()
        assert running.log_text().count("asked for /health") == 3


def test_the_record_says_what_runs(tmp_path: Path) -> None:
    with launched(on_port(fakes.serve(200)), CPU, tmp_path / "log", 20) as running:
        record, process = running.record, psutil.Process(running.record.pid)
        assert running.base_url == f"http://127.0.0.1:{record.argv[-1]}"
        assert record.pid_started == pytest.approx(process.create_time(), abs=2)
        assert process.cmdline() == list(record.argv)
        assert record.start_s > 0


def test_it_is_gone_after_the_block(tmp_path: Path) -> None:
    with launched(on_port(fakes.serve(200)), CPU, tmp_path / "log", 20) as running:
        pid = running.record.pid
    assert not running.alive()
    assert not psutil.pid_exists(pid)


def test_it_is_gone_after_an_error_in_the_block(tmp_path: Path) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        launched(on_port(fakes.serve(200)), CPU, tmp_path / "log", 20) as running,
    ):
        raise KeyboardInterrupt
    assert not running.alive()


def test_the_log_is_a_file_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "down" / "engine.log"
    with launched(on_port(fakes.serve(200)), CPU, log, 20):
        pass
    assert "loading" in log.read_text()


def test_an_exit_is_diagnosed_from_the_log(tmp_path: Path) -> None:
    command = fakes.fail(
        "ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory"
    )
    found = diagnosis(command, tmp_path / "log")
    assert found.kind is FailureKind.OUT_OF_MEMORY
    assert "cudaMalloc" in found.evidence


def test_an_exit_without_a_known_reason_shows_the_last_line(tmp_path: Path) -> None:
    found = diagnosis(fakes.fail("first\nthe dog ate it\n\n", rc=7), tmp_path / "log")
    assert found.kind is FailureKind.ENGINE_CRASH
    assert "the dog ate it" in found.evidence
    assert "7" in found.evidence


def test_a_load_that_never_ends_is_a_hang(tmp_path: Path) -> None:
    found = diagnosis(fakes.program(fakes.HANG), tmp_path / "log", limit_s=0.5)
    assert found.kind is FailureKind.TIMEOUT_HANG
    assert "still loading" in found.evidence


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    found = diagnosis([str(tmp_path / "nothing")], tmp_path / "log")
    assert "nothing" in found.evidence


def test_our_own_word_for_a_failure_counts(tmp_path: Path) -> None:
    said = "orchestrate: capability_missing: this build has no KV cache type 'x'"
    found = diagnosis(fakes.fail(f"a line\n{said}\nanother"), tmp_path / "log")
    assert found.kind is FailureKind.CAPABILITY_MISSING
    assert found.evidence == "this build has no KV cache type 'x'"


def taken_first(times: int, notes: Path) -> Callable[[int], list[str]]:
    """Fails to bind as often, then serves; notes the ports it was given."""

    def argv(port: int) -> list[str]:
        ports = [*json.loads(notes.read_text()), port] if notes.exists() else [port]
        notes.write_text(json.dumps(ports))
        failing = len(ports) <= times
        command = fakes.fail(TAKEN.format(port=port)) if failing else fakes.serve(200)
        return [*command, str(port)]

    return argv


def test_a_port_that_was_taken_meanwhile_is_replaced(tmp_path: Path) -> None:
    notes = tmp_path / "ports"
    with launched(taken_first(2, notes), CPU, tmp_path / "log", 20) as running:
        assert running.base_url.endswith(str(json.loads(notes.read_text())[-1]))
    assert len(json.loads(notes.read_text())) == 3


def test_three_taken_ports_are_a_failure_of_the_machinery(tmp_path: Path) -> None:
    notes = tmp_path / "ports"
    with (
        pytest.raises(EngineError) as raised,
        launched(taken_first(9, notes), CPU, tmp_path / "log", 20),
    ):
        pass
    assert raised.value.diagnosis.kind is FailureKind.NETWORK_PORT
    assert raised.value.diagnosis.kind.is_infrastructure
    assert len(json.loads(notes.read_text())) == 3


@contextmanager
def a_stranger() -> Iterator[int]:
    """Somebody else's server, healthy, on a port that ours is about to be given."""

    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_a_strangers_answer_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_stranger() as port:
        monkeypatch.setattr(launch, "free_port", lambda: port)
        found = diagnosis(fakes.program(fakes.HANG), tmp_path / "log", limit_s=0.5)
    assert found.kind is FailureKind.TIMEOUT_HANG


def test_an_engine_sees_the_cards_of_its_rig_only(tmp_path: Path) -> None:
    with launched(on_port(fakes.serve(200)), GPU, tmp_path / "log", 20) as running:
        assert "loading GPU-aaaa,GPU-bbbb" in running.log_text()


def test_an_engine_on_a_cpu_rig_sees_no_card(tmp_path: Path) -> None:
    with launched(on_port(fakes.serve(200)), CPU, tmp_path / "log", 20) as running:
        assert "loading \n" in running.log_text()


def test_an_extra_variable_reaches_the_engine(tmp_path: Path) -> None:
    extra = {"CUDA_VISIBLE_DEVICES": "mine"}
    with launched(on_port(fakes.serve(200)), CPU, tmp_path / "log", 20, extra) as running:
        assert "loading mine" in running.log_text()
