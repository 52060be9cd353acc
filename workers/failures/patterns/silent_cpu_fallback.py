"""It ran, on the CPU: slower by an order of magnitude, without an error.

Wordings: llama.cpp common/arg.cpp, src/llama-model.cpp and llama-context.cpp (the scheduler
reports where an operation landed), ik_llama.cpp; reports in llama.cpp issues 28455 and 27109.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_cpu = partial(pattern, FailureKind.SILENT_CPU_FALLBACK, lasting=True, gpu_only=True)

_NO_GPU = (
    "The engine found no GPU and ran on the CPU: use a build with this GPU's backend, and check "
    "--list-devices."
)
_ATTENTION = (
    "Attention ran on the CPU because the GPU build has no kernel for this KV type or pair: use "
    "equal K/V types it has, or a build with all FA quants."
)
_LAYERS = (
    "Layers stayed on the CPU, most often because the card was a little too full for them: "
    "shorten the context and pass -ngl all with -fit off, so that it fails instead."
)
_GPU_WORKED = (
    r"offloaded [1-9]\d*/\d+ layers to GPU"
    r"|(?:CUDA|ROCm|HIP|Vulkan|MTL|Metal|SYCL|MUSA)\d* (?:model|KV) buffer size"
)

PATTERNS = (
    _cpu(
        r"no (?:usable )?GPU (?:was )?found|not compiled with GPU offload support"
        r"|compiled without (?:support for )?GPU (?:offload|support)|without CUDA/SYCL/Vulkan"
        r"|-layers(?:-draft)? option will be ignored"
        r"|^(?![^\n]*checkpoint)[^\n]*(?:GPU|CUDA|ROCm|Vulkan|device)[^\n]{0,60}"
        r"fall(?:ing)? ?back to (?:the )?CPU\b"
        r"|no (?:compatible|supported) GPUs? (?:were |was )?(?:found|discovered|detected)"
        r"|GPU (?:not available|is not available),? (?:using|falling)",
        "no_gpu",
        _NO_GPU,
        unless=_GPU_WORKED,  # some releases warn before they have loaded their backends
    ),
    _cpu(
        r"layer\s+\d+ is assigned to device (?!CPU\b)\S+ but [^\n]*"
        r"(?:is|are) assigned to device CPU\b",
        "attention_on_cpu",
        _ATTENTION,
    ),
    _cpu(
        r"layer\s+\d+ is assigned to device CPU but [^\n]*assigned to device (?!CPU\b)\S+",
        "layers_on_cpu",
        _LAYERS,
    ),
    _cpu(
        r"flash[_ ]?att(?:entio)?n\w*[^\n]{0,60}(?:on|to|by) (?:the )?CPU\b(?: backend)?"
        r"|- fallback to CPU|cannot use buft '[^'\n]*', fallback to CPU",
        "attention_on_cpu",
        _ATTENTION,
    ),
    _cpu(r"offloaded 0/\d+ layers to GPU|\blayers\.offload=0\b", "no_offload", _NO_GPU, Level.HINT),
    _cpu(
        r"Warning: Device type is CPU\. This is probably not the device you want"
        r"|using device \S+ \((?:llvmpipe|SwiftShader|lavapipe)",
        "software_gpu",
        _NO_GPU,
    ),
)
