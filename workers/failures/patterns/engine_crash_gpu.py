"""The GPU runtime reports an error that is neither memory nor driver: a bug in a kernel.

Wordings: cudaGetErrorString and its HIP twin, ggml-vulkan, ggml-metal, ROCm, SYCL.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_crash = partial(pattern, FailureKind.ENGINE_CRASH)

_KERNEL = (
    "A GPU kernel of this build misbehaves with these settings, which is no want of memory: try "
    "another build or split, and check the card before the next trial."
)
_LOST = "The GPU was reset under the engine: try another build or driver, and cool or derate it."

PATTERNS = (
    _crash(
        r"illegal memory access|hipErrorIllegalAddress|Memory access fault by GPU",
        "illegal_memory_access",
        _KERNEL,
    ),
    _crash(
        r"misaligned address|unspecified launch failure|device-side assert"
        r"|an illegal instruction was encountered|error: invalid (?:configuration argument"
        r"|argument(?!:)|resource handle|program counter)"
        r"|operation not permitted when stream is capturing"
        r"|CUBLAS_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|NOT_SUPPORTED|INVALID_VALUE)"
        r"|too many resources requested for launch|an unsupported value or parameter was passed"
        r"|operation failed due to a previous error during capture",
        "gpu_kernel",
        _KERNEL,
        elsewhere=r"CUDA|ROCm|HIP|CUBLAS|MUSA|rocBLAS",
    ),
    _crash(
        r"ErrorDeviceLost|DeviceLostError|VK_ERROR_DEVICE_LOST|ggml_vulkan: device (?:lost|fault)"
        r"|GPU Hang\b|HW Exception by GPU|amdgpu: GPU reset|HSA_STATUS_ERROR\w*"
        r"|(?:UR|PI)_\w*ERROR_(?:DEVICE_LOST|UNKNOWN)",
        "device_lost",
        _LOST,
        deterministic=False,
    ),
    _crash(
        r"command buffer \d+ failed with status|ggml_webgpu: Device error"
        r"|failed to (?:compile|create) pipeline|Compute pipeline creation failed"
        r"|failed to initialize the Metal library|\b(?:SYCL|CANN|MUSA) error\b",
        "gpu_kernel",
        _KERNEL,
        Level.HINT,
    ),
    _crash(r"\b(?:CUDA|ROCm|HIP) error\b", "gpu_error", _KERNEL, Level.SYMPTOM),
)
