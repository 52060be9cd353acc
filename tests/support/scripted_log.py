"""The log of a scripted server, in the shape of llama.cpp b11434 with `-lv 4`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.support.script import Fault, Script

LAYERS = 12


def load_lines(
    script: Script, values: Mapping[str, str], slot_ctx: int, draft: tuple[int, int] | None
) -> Iterator[str]:
    """What a load prints, until it listens. `draft` is (asked, effective) n_max, None without."""
    model = values["-m"]
    kv_k, kv_v = values.get("-ctk", "f16"), values.get("-ctv", "f16")
    if Fault.REDIRECTED_KV in script.faults:
        kv_k = kv_v = "f16"
    yield "I srv  llama_server: initializing ..."
    yield f"I srv    load_model: loading model '{model}'"
    yield f"I print_info: n_layer               = {LAYERS}"
    if Fault.NO_GPU in script.faults:
        yield "warning: no usable GPU found, --gpu-layers option will be ignored"
    elif script.devices:
        yield f"I load_tensors: offloaded {LAYERS + 1}/{LAYERS + 1} layers to GPU"
    yield f"I llama_context: n_ctx                 = {slot_ctx}"
    yield _cache(slot_ctx, LAYERS, kv_k, kv_v)
    if Fault.CPU_ATTENTION in script.faults:
        yield (
            "W resolve_fused_ops: layer 0 is assigned to device CUDA0 but Flash Attention is "
            "assigned to device CPU (usually due to missing support)"
        )
    if Fault.DOWNGRADED in script.faults:
        yield (
            "W sched_reserve: compute buffer allocation failed, "
            "retrying without pipeline parallelism"
        )
    splits = 2 if script.devices else 1
    yield f"I sched_reserve: graph: nodes = 1299, splits = {splits}, input objects = 4"
    if draft is not None:
        yield from _draft_lines(script, values, slot_ctx, draft)
    else:
        yield "I spec common_specu: no implementations specified for speculative decoding"
    yield f"I slot   load_model: id  0 | task -1 | new slot, n_ctx = {slot_ctx}"


def _draft_lines(
    script: Script, values: Mapping[str, str], slot_ctx: int, draft: tuple[int, int]
) -> Iterator[str]:
    asked, effective = draft
    source = "common_speculative_impl_draft_dflash"
    if drafter := values.get(script.drafter_flag):
        yield f"I common_speculative_init_result: loading draft model '{drafter}'"
        if script.devices:
            yield "I load_tensors: offloaded 4/4 layers to GPU"
        draft_k, draft_v = values.get("-ctkd", "f16"), values.get("-ctvd", "f16")
        yield _cache(slot_ctx, 3, draft_k, draft_v)
    if Fault.DRAFTER_IGNORED in script.faults:
        yield "W srv    load_model: failed to initialize speculative decoding context: no drafter"
        return
    yield f"I {source}: adding speculative implementation '{values.get('--spec-type', '')}'"
    yield f"I {source}: - n_max={asked}, n_min=0, p_min=0.00"
    yield f"I {source}: - block_size={script.block_size}, mask_token_id=16, n_extract=5"
    if asked != effective:
        yield (
            f"W {source}: requested draft size (n_max={asked}, n_min=0) exceeds the trained "
            f"block size {script.block_size} -- clamping to {effective}"
        )
    yield "I srv    load_model: speculative decoding context initialized"


def out_of_memory_lines(model: str) -> Sequence[str]:
    """A load that finds the card full."""
    return (
        "E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9216.00 MiB on device 0: "
        "cudaMalloc failed: out of memory",
        "E alloc_tensor_range: failed to allocate CUDA0 buffer of size 9663676416",
        "E llama_init_from_model: failed to initialize the context: "
        "failed to allocate buffer for kv cache",
        f"E srv    load_model: failed to load model, '{model}'",
        "E srv  llama_server: exiting due to model loading error",
    )


def out_of_range_lines(drafter: str) -> Sequence[str]:
    """A drafter that some builds cannot load beside a long context, in the words of Windows."""
    return (
        f"I common_speculative_init_result: loading draft model '{drafter}'",
        "E llama_model_load: error loading model: invalid vector subscript",
        f"E common_speculative_init_result: failed to load draft model, '{drafter}'",
        "E srv  llama_server: exiting due to model loading error",
    )


def _cache(cells: int, layers: int, kv_k: str, kv_v: str) -> str:
    half = cells * layers / 1024
    return (
        f"I llama_kv_cache: size = {2 * half:7.2f} MiB ({cells:6d} cells, {layers:3d} layers,  "
        f"1/1 seqs), K ({kv_k}): {half:7.2f} MiB, V ({kv_v}): {half:7.2f} MiB"
    )
