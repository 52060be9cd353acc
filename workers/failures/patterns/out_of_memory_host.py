"""No room in the host's memory: the allocator says so, or the system ends the process.

Wordings: ggml.c, llama-mmap.cpp, the C++ library, Linux and Windows, Python, ollama, Ray.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_oom = partial(pattern, FailureKind.OUT_OF_MEMORY)

_HOST = (
    "The host ran out of memory: use mmap, fewer CPU layers, a smaller quant or context, or "
    "allow the container more memory."
)

PATTERNS = (
    _oom(r"unable to allocate CPU\S* buffer|failed to allocate CPU\S* buffer", "host", _HOST),
    _oom(r"ArrayMemoryError|Unable to allocate [\d.]+ \w+ for an array", "host", _HOST),
    _oom(r"insufficient memory \(attempted to allocate", "host", _HOST),
    _oom(r"posix_memalign failed|vm_allocate failed|aligned_malloc: .*fail", "host", _HOST),
    _oom(r"(?:mmap failed|calloc failed|read error): Cannot allocate memory", "host", _HOST),
    _oom(r"std::bad_alloc|\bbad allocation\b|^MemoryError\b", "host", _HOST),
    _oom(r"paging file is too small|not enough (?:virtual )?memory resources", "host", _HOST),
    _oom(r"VK_ERROR_OUT_OF_HOST_MEMORY|ErrorOutOfHostMemory|HOST_ALLOC.*fail", "host", _HOST),
    _oom(r"model requires more system memory", "host", _HOST),
    _oom(r"Out of memory: Killed process|oom-kill:|oom_reaper|\bOOMKilled\b", "host", _HOST),
    _oom(r"Memory cgroup out of memory|running low on memory", "host", _HOST),
    _oom(r"\bErrno 12\b|Cannot allocate memory", "host", _HOST, Level.HINT),
    _oom(
        r"(?:^|: |\d )Killed\b(?! by signal (?:2|15))|signal: killed|\bSIGKILL\b"
        r"|(?:exit(?:ed)?|code|status|returned)\W+(?:with\W+)?(?:code |status )?(?:137|-9)\b",
        "host",
        "The system killed the process, most likely for want of host memory: use mmap, fewer "
        "CPU layers or a smaller quant, and look in the kernel log.",
        Level.SYMPTOM,
    ),
    _oom(
        r"not enough space in the (?:context's memory pool|buffer)",
        "compute",
        "The engine's own scratch memory is too small for this batch: lower -b, -ub or the "
        "context, or use a newer build.",
        Level.HINT,
    ),
)
