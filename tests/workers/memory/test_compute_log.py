"""Compute buffers are read from the log of a load, context by context."""

from __future__ import annotations

from workers.memory.compute_log import compute_buffers, size_of, told
from workers.memory.terms import MIB

BEGIN = "0.00.187.227 I llama_context: constructing llama_context\n"


def reserve(nodes: int, **buffers: float) -> str:
    """As b11434 prints it."""
    lines = [
        f"0.00.205.902 I sched_reserve: {device:>10} compute buffer size = {mib:8.2f} MiB"
        for device, mib in buffers.items()
    ]
    return "\n".join(
        [*lines, f"0.00.205.910 I sched_reserve: graph: nodes = {nodes}, splits = 1\n"]
    )


def test_one_context_has_its_buffers_by_device() -> None:
    log = BEGIN + reserve(1299, CUDA0=300.0, CUDA_Host=12.5)
    assert compute_buffers(log) == {"CUDA0": 300.0, "CUDA_Host": 12.5}


def test_a_drafters_context_is_added() -> None:
    log = BEGIN + reserve(1299, CUDA0=300.0) + BEGIN + reserve(109, CUDA0=98.0)
    assert compute_buffers(log) == {"CUDA0": 398.0}


def test_what_is_reserved_again_replaces_what_was() -> None:
    log = BEGIN + reserve(1299, CPU=16.67) + BEGIN + reserve(109, CPU=98.25)
    log += reserve(130, CPU=194.44) + reserve(1299, CPU=20.05)
    assert compute_buffers(log) == {"CPU": 20.05 + 194.44}


def test_a_build_that_does_not_tell_its_graphs_is_read_too() -> None:
    line = "llama_context:      CUDA0 compute buffer size =   304.75 MiB\n"
    assert compute_buffers(BEGIN + line) == {"CUDA0": 304.75}


def test_a_log_without_them_tells_nothing() -> None:
    assert compute_buffers("llama_kv_cache: size = 20 MiB") == {}
    assert size_of({"power_w": 300.0}, 1) is None


def test_devices_go_by_number_and_the_rest_is_the_hosts() -> None:
    telemetry = told(BEGIN + reserve(1299, CUDA1=200.0, CUDA0=300.0, CUDA_Host=12.0, CPU=3.0))
    size = size_of(telemetry, 2)
    assert size is not None
    assert size.devices == (300 * MIB, 200 * MIB)
    assert size.host == 15 * MIB
    assert size.certain


def test_a_device_that_the_rig_does_not_have_is_the_hosts() -> None:
    size = size_of({"compute_mib.CPU": 20.0}, 0)
    assert size is not None
    assert (size.devices, size.host) == ((), 20 * MIB)
