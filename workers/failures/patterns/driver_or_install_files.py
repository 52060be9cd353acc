"""The binary does not start: a library, a symbol or an instruction of the CPU is missing.

Wordings: ld.so, dyld, the Windows loader, ctypes, ggml-backend-reg.cpp, llama-cpp-python.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_install = partial(pattern, FailureKind.DRIVER_OR_INSTALL)

_LIBRARY = (
    "A shared library of the engine or of its GPU runtime is not found: keep the libraries "
    "beside the binary, set LD_LIBRARY_PATH, or install the runtime."
)
_OLD_SYSTEM = (
    "The binary was built for a newer system: use a build for this distribution, or build it here."
)
_CPU = "The binary uses instructions this CPU lacks: use a build without them (GGML_NATIVE=OFF)."

PATTERNS = (
    _install(
        r"error while loading shared libraries|\.so(?:\.\d+)*: cannot open shared object file"
        r"|Library not loaded:|image not found|DLL load failed|\.dll was not found"
        r"|Could not find module '[^'\n]*\.dll|\.dll[^\n]{0,30}(?:is missing|not be found)"
        r"|WinError 126\b|Failed to load shared library|Shared library with base name"
        r"|0xc0000135|\b3221225781\b|-1073741515\b",
        "missing_lib",
        _LIBRARY,
        lasting=True,
    ),
    _install(
        r"version `(?:GLIBC|GLIBCXX|CXXABI|GOMP|lib\w+)[\w.]*' not found|undefined symbol"
        r"|Symbol not found|CANNOT LINK EXECUTABLE|procedure entry point|WinError 127\b"
        r"|incompatible API version",
        "wrong_lib",
        _OLD_SYSTEM,
        lasting=True,
    ),
    _install(
        r"failed to (?:find ggml_backend_init in|initialize backend from)|no backends are loaded"
        r"|failed to load \S+(?:ggml-\w+|lib\w+)\.(?:so|dll|dylib)|no CPU backend found",
        "backend_not_loaded",
        _LIBRARY,
        lasting=True,
    ),
    _install(
        r"illegal instruction(?! was encountered)|0xc000001d|\b3221225501\b|-1073741795\b"
        r"|Unsupported CPU\. You may need|\bSIGILL\b",
        "cpu_instructions",
        _CPU,
    ),
    _install(
        r"exec format error|cannot execute binary file|is not a valid Win32 application"
        r"|WinError 193\b|bad CPU type in executable|0xc000007b",
        "wrong_platform",
        "The binary is for another platform: use the build for this one.",
    ),
    _install(
        r"(?:No such file or directory|command not found|not found|Permission denied)"
        r"[^\n]{0,20}[:' ]\S*llama-[a-z]\w*(?:\.exe)?'?(?=\s|$)"
        r"|llama-[a-z]\w*(?:\.exe)?'?: (?:command not found|No such file|not found|Permission"
        r" denied)",
        "no_binary",
        "The engine's binary is not where the candidate says, or may not be run: check its path "
        "and mode.",
        Level.HINT,
    ),
    _install(
        r"^g?make(?:\[\d+\])?: \*\*\*|ninja: build stopped|CMake Error at|\bnvcc fatal\b",
        "build_failed",
        "The engine could not be compiled here: use a prebuilt one, or read the compiler's first "
        "error.",
        Level.HINT,
    ),
    _install(
        r"No module named '(?:llama_cpp|xllamacpp|llama-cpp-python)"
        r"|Failed building wheel for llama",
        "python_package",
        "The Python package of this engine is not installed: run the project's install command.",
    ),
)
