"""Logs whose last, loudest or most familiar line is not the reason."""

from __future__ import annotations

from workers.contract.failure import FailureKind, Phase
from workers.failures.classify import classify

OUT_OF_MEMORY = (
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 900.00 MiB on device 0: "
    "cudaMalloc failed: out of memory\n"
)
READY = "main: server is listening on http://127.0.0.1:9000 - starting the main loop\n"


def kind(text: str, **facts: object) -> FailureKind | None:
    found = classify(text, **facts)  # type: ignore[arg-type]  # names are checked at the call
    return found.kind if found else None


def test_an_allocation_that_failed_is_no_failure_once_the_server_listens() -> None:
    assert kind(OUT_OF_MEMORY + READY) is None


def test_an_allocation_that_failed_is_no_failure_in_a_run_known_to_have_succeeded() -> None:
    assert kind(OUT_OF_MEMORY, succeeded=True) is None


def test_an_allocation_that_fails_after_the_server_listened_is_one() -> None:
    found = classify(READY + OUT_OF_MEMORY)
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.OUT_OF_MEMORY, "compute_runtime")


def test_a_run_that_succeeded_on_the_cpu_still_failed_to_measure_the_gpu() -> None:
    said = "load_tensors: offloaded 0/33 layers to GPU\n" + READY
    assert kind(said, succeeded=True) is FailureKind.SILENT_CPU_FALLBACK


def test_staying_on_the_cpu_is_no_failure_where_the_candidate_asks_for_it() -> None:
    said = "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected\n"
    said += "load_tensors: offloaded 0/33 layers to GPU\n" + READY
    assert kind(said, gpu_expected=False) is None


def test_which_of_two_devices_is_the_cpu_tells_a_missing_kernel_from_a_full_card() -> None:
    line = "layer 4 is assigned to device {} but Flash Attention is assigned to device {} (usually)"
    missing, full = classify(line.format("CUDA0", "CPU")), classify(line.format("CPU", "CUDA0"))
    assert missing is not None and full is not None
    assert (missing.detail, full.detail) == ("attention_on_cpu", "layers_on_cpu")


def test_a_missing_file_is_not_a_question_of_gpu_layers() -> None:
    found = classify(
        "gguf_init_from_file: failed to open GGUF file '/m/alpha.gguf'\n"
        "common_init_from_params: failed to load model '/m/alpha.gguf', try reducing "
        "--n-gpu-layers if you're running out of VRAM\n"
    )
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.BAD_MODEL_FILE, "not_found")
    assert "alpha.gguf" in found.evidence


def test_generic_lines_never_win_against_a_cause() -> None:
    generic = (
        "llama_model_load_from_file_impl: failed to load model\n"
        "srv  llama_server: exiting due to model loading error\n"
    )
    cause = "llama_model_load: error loading model: missing tensor 'blk.0.attn_q.weight'\n"
    assert kind(generic + cause + generic, rc=1) is FailureKind.MODEL_INCOMPATIBLE


def test_a_crash_on_the_way_out_is_not_the_reason() -> None:
    cause = "llama_init_from_model: failed to allocate compute buffers\n"
    found = classify(cause + "free(): invalid pointer\nAborted (core dumped)\n", rc=134)
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.OUT_OF_MEMORY, "compute")


def test_a_signal_counts_where_the_log_gives_only_generic_lines() -> None:
    said = "srv    load_model: failed to load model, 'alpha.gguf'"
    assert kind(said) is FailureKind.BAD_MODEL_FILE
    assert kind(said, rc=-9) is FailureKind.OUT_OF_MEMORY


def test_minus_one_is_an_unknown_code_and_no_signal() -> None:
    found = classify("something\n", rc=-1)
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.ENGINE_CRASH, "exit_code")


def test_the_loaders_vector_error_is_memory_and_its_advice_says_both() -> None:
    found = classify("error loading model: invalid vector subscript")
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.OUT_OF_MEMORY, "draft")
    assert "memory ran out" in found.advice and "bug" in found.advice


def test_the_same_unknown_architecture_is_the_models_or_the_drafters() -> None:
    said = "error loading model architecture: unknown model architecture: 'delta5'\n"
    assert kind(said) is FailureKind.MODEL_INCOMPATIBLE
    assert kind(said + "srv load_model: failed to load draft model, 'd.gguf'\n") is (
        FailureKind.DRAFT_INCOMPATIBLE
    )


def test_a_cache_without_a_kernel_is_no_engine_bug() -> None:
    line = "pre-allocated tensor ({}) in a buffer ({}) that cannot run the operation ({})"
    assert kind(line.format("cache_v_l1 (view)", "Vulkan0", "SET_ROWS")) is (
        FailureKind.CAPABILITY_MISSING
    )
    assert kind(line.format("cache_v_l1", "Meta()", "NONE")) is FailureKind.ENGINE_CRASH


def test_perplexity_without_a_result_is_a_failure_although_the_exit_code_is_0() -> None:
    said = "perplexity: calculating perplexity over 4 chunks, n_ctx=512\n[1]5.1000,[2]6.0000,"
    assert kind(said, rc=0) is FailureKind.QUALITY_BROKEN
    assert kind(said, phase=Phase.PERPLEXITY) is FailureKind.QUALITY_BROKEN
    assert kind(said + "\nFinal estimate: PPL = 6.0000 +/- 0.50000", rc=0) is None


def test_no_deviation_is_a_short_text_unless_there_is_nan() -> None:
    said = "Unexpected negative standard deviation of log(prob)"
    assert kind("[1]7.5000,\n" + said, rc=0) is FailureKind.INVALID_CONFIG
    assert kind("[1]nan,[2]nan,\n" + said, rc=0) is FailureKind.QUALITY_BROKEN


def test_loading_is_a_hang_only_where_nothing_followed() -> None:
    loading = "srv  log_server_r: request: GET /health 127.0.0.1 503\n"
    assert kind(loading) is None
    assert kind(loading * 3) is FailureKind.TIMEOUT_HANG
    assert kind(loading * 3 + READY) is None


def test_a_deadline_is_a_hang_unless_the_log_names_a_cause() -> None:
    assert kind("getting device memory data\n", timed_out=True) is FailureKind.TIMEOUT_HANG
    assert kind(OUT_OF_MEMORY, timed_out=True) is FailureKind.OUT_OF_MEMORY


def test_zero_acceptance_needs_enough_tokens_to_mean_something() -> None:
    line = "draft acceptance rate = 0.00000 (    0 accepted /  {:4d} generated)\n"
    assert kind(line.format(4)) is None
    assert kind(line.format(400)) is FailureKind.SPEC_NOT_ENGAGED


def test_a_question_about_an_error_is_not_that_error() -> None:
    said = 'srv  log_server_r: request:  {"messages": [{"content": "CUDA error: out of memory?"}]}'
    assert kind(said + "\n" + READY) is None


def test_evidence_is_the_line_without_its_colours() -> None:
    found = classify("one\n\x1b[31mE CUDA error: out of memory\x1b[0m\nthree\n")
    assert found is not None
    assert found.evidence == "E CUDA error: out of memory"


def test_the_evidence_of_an_endless_line_shows_what_decided() -> None:
    found = classify("x " * 1500 + "No space left on device" + " y" * 1500)
    assert found is not None
    assert "No space left on device" in found.evidence and len(found.evidence) <= 400
