"""The card's driver and the binary do not go together: nothing in the space can help.

Wordings: the CUDA and HIP runtimes (cudaGetErrorString), ggml-cuda, ggml-vulkan, rocBLAS.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_install = partial(pattern, FailureKind.DRIVER_OR_INSTALL, lasting=True)

_OLD_DRIVER = (
    "The GPU driver is older than the runtime the binary was built with: update the driver, or "
    "use a build for an older one."
)
_NO_KERNEL = (
    "The binary was not built for this generation of GPU: use a build with its architecture "
    "(CMAKE_CUDA_ARCHITECTURES, GPU_TARGETS)."
)
_NO_DEVICE = (
    "The runtime finds no usable GPU: check nvidia-smi or rocminfo, CUDA_VISIBLE_DEVICES, and "
    "that the container is given the device."
)

PATTERNS = (
    _install(
        r"driver version is insufficient|not supported (?:in|by) the installed CUDA driver"
        r"|compiled with an unsupported toolchain|forward compatibility was attempted"
        r"|unsupported display driver / cuda driver combination|driver is too old",
        "driver_too_old",
        _OLD_DRIVER,
        Level.DECISIVE,
    ),
    _install(
        r"no kernel image is available|no device code compatible with|hipErrorNoBinaryForGpu"
        r"|invalid device function|device kernel image is invalid"
        r"|TensileLibrary[^\n]*(?:Illegal seek|No such file)|Cannot read [^\n]*TensileLibrary"
        r"|was compiled for:? (?:only )?(?:sm_|\d{3})",
        "no_kernel_image",
        _NO_KERNEL,
        Level.DECISIVE,
    ),
    _install(
        r"no CUDA-capable device|no ROCm-capable device|hipErrorNoDevice"
        r"|ggml_vulkan: No devices found|ggml_vulkan: Error: Vulkan 1\.2 required"
        r"|CUDA-capable device\(s\) is/are busy|no (?:CUDA|ROCm|HIP|Vulkan) devices? found"
        r"|could not select device driver|NVIDIA-SMI has failed|Failed to initialize NVML",
        "no_device",
        _NO_DEVICE,
        gpu_only=True,
    ),
    _install(
        r"failed to initialize (?:CUDA|ROCm|HIP|MUSA|CANN|SYCL)|system not yet initialized"
        r"|(?:Driver/library|driver/library) version mismatch|(?:CUDA|HIP) initialization error"
        r"|error: (?:initialization error|unknown error)|Incompatible ?Driver"
        r"|vk::\S+: Error(?:Initialization|Extension|Feature|Layer|Incompatible)\w*"
        r"|VK_ERROR_(?:INITIALIZATION_FAILED|INCOMPATIBLE_DRIVER|EXTENSION_NOT_PRESENT)",
        "driver_broken",
        "The GPU runtime does not start on this host: reload or reinstall the driver, and run "
        "nvidia-smi before the next trial.",
        Level.HINT,
        gpu_only=True,
    ),
    _install(
        r"uncorrectable ECC error|GPU is lost|has fallen off the bus|NVRM: Xid",
        "hardware",
        "The GPU reports a hardware fault: take this card out of the sweep and look at dmesg.",
        Level.DECISIVE,
        deterministic=False,
    ),
)
