"""Expressions and advice that several tables share.

Wordings: llama.cpp ggml-cuda.cu, ggml-vulkan.cpp, ggml-metal, ggml-sycl, ggml-opencl, ggml-alloc.c
and tools/server.
"""

# A line after which what fails to load is the drafter.
DRAFT_LOADING = (
    r"loading draft model|creating MTP draft context|failed to load draft model"
    r"|load_model: .*draft model '|failed to create draft context"
)

# Memory was asked for on a card and not given; what for, this line does not say.
ALLOCATION = (
    r"(?:cuda|hip|musa|aclrt)Malloc(?:Async)? failed: (?:out of memory|\w*memory\w*)"
    r"|failed to allocate (?!CPU\b)\S+ buffer of size \d+"
    r"|Device memory allocation of size \d+ failed"
    r"|(?:ErrorOutOfDeviceMemory|VK_ERROR_OUT_OF_DEVICE_MEMORY|OutOfDeviceMemoryError)"
    r"|can't allocate \d+ Bytes of memory on device"
    r"|(?:UR|PI|CL)_\w*OUT_OF_(?:DEVICE_MEMORY|RESOURCES)|CL_MEM_OBJECT_ALLOCATION_FAILURE"
    r"|error: failed to allocate buffer, size ="
    r"|hipErrorOutOfMemory|cudaErrorMemoryAllocation|HIP out of memory"
)


WEIGHTS = (
    "The weights do not fit on the card: take a smaller quant, fewer GPU layers or more cards; "
    "no KV type or context changes that."
)
KV = (
    "The KV cache does not fit after the weights: shorten the context or quantise the KV cache, "
    "and skip every larger context of this model."
)
COMPUTE = (
    "Weights and KV cache fit but the compute buffer does not: lower -ub, turn flash attention "
    "on, or shorten the context."
)
RUNTIME = (
    "The card was full when a request ran, after a load that just fitted: leave more headroom "
    "by a shorter context or a smaller -ub."
)
