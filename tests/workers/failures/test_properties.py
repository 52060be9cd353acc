"""Whatever the text: no exception, a diagnosis a person can act on, and no false failure."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from workers.contract.failure import Diagnosis, Phase
from workers.failures.classify import classify
from workers.failures.registry import all_patterns

WORDINGS = [
    line
    for case in map(
        json.loads,
        Path(__file__).with_name("lines.jsonl").read_text(encoding="utf-8").splitlines(),
    )
    for line in case["text"].split("\n")
]

# What every healthy server and perplexity run prints, in no particular order.
BENIGN = [
    "build: 9999 (0123abcd) with GNU 13.3.0 for Linux x86_64",
    "ggml_cuda_init: found 1 CUDA devices (Total VRAM: 24000 MiB):",
    "llama_model_loader: - kv   0:                       general.architecture str  = alpha",
    "load: special_eos_id is not in special_eog_ids - the tokenizer config may be incorrect",
    "load_tensors: offloaded 33/33 layers to GPU",
    "load_tensors:        CUDA0 model buffer size =  4000.00 MiB",
    "llama_context: n_ctx_seq (8192) < n_ctx_train (131072) -- the full capacity is not utilized",
    "llama_kv_cache: size = 1024.00 MiB (  8192 cells,  32 layers,  1/1 seqs), K (q8_0), V (q8_0)",
    "common_init_from_params: warming up the model with an empty run - please wait ...",
    "common_init_from_params: added <|eot|> logit bias = -inf",
    "srv    load_model: initializing, n_slots = 1, n_ctx_slot = 8192, kv_unified = 'false'",
    "srv  log_server_r: request: GET /health 127.0.0.1 503",
    "main: server is listening on http://127.0.0.1:9000 - starting the main loop",
    "slot update_slots: id  0 | task 0 | new prompt, n_ctx_slot = 8192, task.n_tokens = 43",
    "draft acceptance = 0.64000 (  160 accepted /   250 generated), mean len =  2.90",
    "slot      release: id  0 | task 0 | stop processing: n_tokens = 299, truncated = 0",
    "srv  log_server_r: request: POST /completion 127.0.0.1 200",
    "srv  update_slots: all slots are idle",
    "warning: failed to mlock 1048576-byte buffer (after previously locking 0 bytes): no",
    "[1]4.1000,[2]5.2000,[3]5.0000,",
    "Final estimate: PPL = 5.0000 +/- 0.41000",
    "",
]

codes = st.none() | st.integers(-(2**33), 2**33)


@given(
    text=st.text() | st.lists(st.sampled_from(WORDINGS) | st.text(max_size=80)).map("\n".join),
    rc=codes,
    signal=st.none() | st.integers(0, 200),
    phase=st.none() | st.sampled_from(Phase),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
@settings(max_examples=150, deadline=None)
def test_any_text_gives_a_diagnosis_or_none_and_never_raises(
    text: str,
    rc: int | None,
    signal: int | None,
    phase: Phase | None,
    flags: tuple[bool, bool, bool],
) -> None:
    found = classify(
        text, rc, signal, phase, succeeded=flags[0], timed_out=flags[1], gpu_expected=flags[2]
    )
    assert found is None or isinstance(found, Diagnosis)
    if found is not None:
        assert found.advice.endswith(".") and found.detail
        assert "\n" not in found.evidence and "\x1b" not in found.evidence


@given(
    lines=st.lists(st.sampled_from(BENIGN), max_size=40),
    finished=st.sampled_from([0, None]),
)
@settings(max_examples=150, deadline=None)
def test_a_healthy_log_in_any_order_never_fails(lines: list[str], finished: int | None) -> None:
    # Only the order "still loading" at the very end would be a hang, so the end is idle.
    text = "\n".join([*lines, "srv  update_slots: all slots are idle"])
    assert classify(text, rc=finished) is None


@given(before=st.lists(st.sampled_from(BENIGN), max_size=20), wording=st.sampled_from(BENIGN))
@settings(max_examples=50, deadline=None)
def test_a_run_that_succeeded_is_not_failed_by_its_own_noise(
    before: list[str], wording: str
) -> None:
    assert classify("\n".join([*before, wording]), rc=0, succeeded=True) is None


def test_every_advice_is_one_sentence_to_act_on() -> None:
    for known in all_patterns():
        assert known.advice.endswith("."), known.line.pattern
        assert ". " not in known.advice.replace("--", ""), known.advice
        assert 30 <= len(known.advice) <= 220, known.advice


def test_a_very_long_log_keeps_the_errors_at_both_its_ends() -> None:
    noise = "slot print_timing: id 0 | task 1 | tg = 50.00 t/s\n" * 20_000
    at_head = classify("llama_init_from_model: failed to allocate compute buffers\n" + noise)
    at_tail = classify(noise + "CUDA error: an illegal memory access was encountered\n")
    assert at_head is not None and at_head.detail == "compute"
    assert at_tail is not None and at_tail.detail == "illegal_memory_access"
