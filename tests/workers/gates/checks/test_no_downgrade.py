"""no_downgrade: the engine runs as asked."""

from __future__ import annotations

import pytest

from tests.workers.gates import logs
from tests.workers.gates.scenes import is_fatal, is_flag, scene, verdict_of
from workers.gates.checks.no_downgrade import GATE


@pytest.mark.parametrize(
    "line",
    [
        "sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism",
        "llama_params_fit: context size reduced from 131072 to 65536 -> need 512 MiB less memory",
        "load: retry without mmap",
        "ggml_backend_alloc: trying CPU fallback",
    ],
)
def test_a_smaller_setting_than_asked_is_fatal(line: str) -> None:
    assert is_fatal(verdict_of(GATE, scene(log=f"before\n{line}\nafter\n")))


@pytest.mark.parametrize(
    "line",
    [
        "dflash: GPU cross ring unavailable; using CPU hidden capture",
        "tree_verify: tree buffers too small (9 > 8), falling back to flat verify",
        "spec: backend offload failed for seq_id=0; using CPU sampler",
        "update_slots: failed to find free space in the KV cache, retrying with smaller batch size",
    ],
)
def test_a_slower_path_to_the_asked_setting_is_a_flag(line: str) -> None:
    assert is_flag(verdict_of(GATE, scene(log=line)))


@pytest.mark.parametrize(
    "line",
    [
        "llama_mmap: Falling back to buffered IO due to missing O_DIRECT",
        "chat: Unable to extract reasoning markers, falling back to reasoning = NONE",
        "hf_download: retrying after 2 seconds...",
        "srv init: --cache-idle-slots requires --cache-ram, disabling",
        logs.CLAMPED,
    ],
)
def test_lines_that_only_sound_like_it_pass(line: str) -> None:
    assert verdict_of(GATE, scene(log=line)).verdict.passed
