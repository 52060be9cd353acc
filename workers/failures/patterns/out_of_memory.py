"""No room on the card, and a line says for what: weights, KV cache, compute, a request.

Wordings: llama.cpp src/llama-model.cpp, llama-kv-cache.cpp, llama-context.cpp, ggml-alloc.c,
ggml-cuda.cu, ggml-metal; ollama and ik_llama.cpp in their own words.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import COMPUTE, KV, RUNTIME, WEIGHTS

_oom = partial(pattern, FailureKind.OUT_OF_MEMORY)

_FIT = "Nothing in this configuration fits the free memory: lower the context, or the quant."

PATTERNS = (
    # Which buffer, said outright.
    _oom(r"failed to allocate buffer for (?:kv|rs|\w+) cache", "kv", KV),
    _oom(r"kv_cache_init\(\) failed|failed to allocate (?:the )?kv[ _-]cache", "kv", KV),
    _oom(r"failed to allocate buffer for DSV4 compressor state", "kv", KV),
    _oom(r"failed to allocate compute (?:pp |tg )?buffers?\b", "compute", COMPUTE),
    _oom(r"graph_reserve: failed to allocate|gallocr_reserve\w*: failed", "compute", COMPUTE),
    _oom(
        r"failed to (?:allocate output buffer of size|reserve initial output buffer)"
        r"|graph allocation: failed to reserve memory|fattn buffer alloc failed",
        "compute",
        COMPUTE,
    ),
    _oom(
        r"unable to allocate (?!CPU\b)\S+ buffer\b|load_tensors: failed to allocate"
        r"|Failed to allocate buffer type (?!CPU\b)|error loading model: failed to allocate",
        "weights",
        WEIGHTS,
    ),
    _oom(
        r"Required memory \d+ MiB .*greater than available memory"
        r"|required memory \d+ MiB greater than available memory"
        r"|Not enough memory in device \d+ to offload",
        "weights",
        WEIGHTS,
    ),
    _oom(
        r"failed to fit CLI arguments to free memory|unable to fit model into system memory"
        r"|memory layout cannot be allocated",
        "fit",
        _FIT,
    ),
    # The first requests.
    _oom(
        r"(?:CUDA|ROCm|HIP|MUSA) error(?: \d+)?(?: at [^\n]*)?: (?:hip\w*)?out of memory",
        "compute_runtime",
        RUNTIME,
    ),
    _oom(
        r"CUBLAS_STATUS_ALLOC_FAILED|error: the resource allocation failed"
        r"|HipVMM Failure: out of memory|rocblas_status_memory_error"
        r"|CUDA out of memory\. Tried to allocate",
        "compute_runtime",
        RUNTIME,
    ),
    _oom(
        # Lazy loading of a kernel needs memory too; a full card fails there with this text.
        r"error: shared object initialization failed",
        "compute_runtime",
        RUNTIME,
    ),
    _oom(
        r"OutOfMemory \(?0000|kIOGPUCommandBufferCallbackErrorOutOfMemory|Insufficient Memory \(0",
        "compute_runtime",
        RUNTIME,
    ),
    _oom(
        r"failed to decode, ret = -2\b|graph_compute_async failed with error -2\b",
        "compute_runtime",
        RUNTIME,
    ),
    _oom(
        r"CUBLAS_STATUS_NOT_INITIALIZED|cublasCreate[^\n]*failed",
        "compute_runtime",
        RUNTIME,
        Level.HINT,
    ),
    _oom(
        r"Failed to create llama_context|failed to create (?:a )?(?:llama_)?context\b",
        "context",
        "No context could be made for this model; most often memory ran out, so shorten the "
        "context or quantise the KV cache, and read the lines above.",
        Level.GENERIC,
    ),
)
