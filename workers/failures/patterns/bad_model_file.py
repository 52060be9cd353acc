"""The file is absent, cut off, or not a model: another file is needed, not another setting.

Wordings: llama.cpp gguf.cpp, llama-model-loader.cpp, llama-mmap.cpp (2023 to 2026),
llama-cpp-python, the Hugging Face hub, Git LFS. llama.cpp adds "try reducing --n-gpu-layers"
to every failed load; with a missing file that hint misleads.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_bad = partial(pattern, FailureKind.BAD_MODEL_FILE)

_ABSENT = (
    "The model file is not on this machine, or not readable there: check the path and the "
    "worker's model folders; GPU layers have nothing to do with it."
)
_CUT = "The file ends before its tensors do (or is older than GGUF): download it again."
_ALIEN = "The file is not a GGUF model this build reads: download or convert it again."
_CORRUPT = "The file's contents are damaged: compare its hash and download it again."

PATTERNS = (
    _bad(r"failed to open GGUF file|Model path does not exist", "not_found", _ABSENT),
    _bad(
        r"(?:failed to open|unable to open|cannot open|can't open|could not open|does not exist"
        r"|No such file or directory)[^\n]*\.gguf\b"
        r"|\.gguf\b[^\n]*(?:No such file or directory|does not exist|not found in repository)",
        "not_found",
        _ABSENT,
    ),
    _bad(r"\.gguf\b[^\n]*Permission denied|Permission denied[^\n]*\.gguf\b", "unreadable", _ABSENT),
    _bad(
        r"no GGUF files found in repository|EntryNotFoundError|RepositoryNotFoundError"
        r"|required file is not available in cache|failed to download model"
        r"|download failed:? [^\n]*status:? ?40[134]|(?:401|403|404) Client Error",
        "not_found",
        "The hub has no such file, or not for this account: check repository, file name and token.",
    ),
    _bad(
        r"unexpectedly reached end of (?:file|buffer)|not within (?:the )?file bounds"
        r"|model is corrupted or incomplete|file is corrupted or incomplete"
        r"|failed to read (?:magic|header|key-value pairs|tensor (?:info|data))"
        r"|exceeds remaining file size|failed to seek to beginning of data section",
        "truncated",
        _CUT,
    ),
    _bad(
        r"invalid magic characters|bad magic|bad GGUF (?:version|magic)|invalid magic number"
        r"|is this really a GGML file|unknown \(magic, version\) combination"
        r"|git-lfs\.github\.com|is not a (?:valid )?GGUF",
        "not_gguf",
        _ALIEN,
    ),
    _bad(
        r"GGUFv1 is no longer supported|old (?:model )?(?:format|version)[^\n]*(?:ggml|convert)"
        r"|(?:ggml|ggjt) v\d[^\n]*(?:not supported|no longer)",
        "old_format",
        _ALIEN,
    ),
    _bad(
        r"tensor '[^'\n]*' (?:has invalid data|is duplicated|has offset \d+, expected)"
        r"|found nan value at block|found \d+ (?:bad tensors|NaN block scales|NaN row scales)"
        r"|invalid model: tensor|encountered (?:bad_alloc|length_error) error? ?while reading"
        r"|number of (?:tensors|key value pairs) is -?\d+ but must be"
        r"|mismatch between the host and model endianness|duplicate (?:key|tensor name) '"
        r"|has invalid GGUF type|string length \d+ exceeds maximum|sha256 mismatch"
        r"|has invalid number of dimensions|key \d+ is empty",
        "corrupt",
        _CORRUPT,
    ),
    _bad(
        r"(?:read|seek|ftell|lseek) error: (?!Cannot allocate)|Input/output error"
        r"|Stale file handle",
        "unreadable",
        "The file cannot be read from its disk or share: check the mount and the disk's health.",
    ),
    _bad(r"found tensors with invalid data|Bus error", "corrupt", _CORRUPT, Level.HINT),
    _bad(
        r"error loading model: (?:llama_model_loader: )?failed to load model"
        r"|Failed to load model from file|(?:failed|unable) to load model\b"
        r"|exiting due to model loading error|Could not load Llama model",
        "load_failed",
        "The model did not load and the log gives no reason: run once with -lv 4 to see it.",
        Level.GENERIC,
    ),
)
