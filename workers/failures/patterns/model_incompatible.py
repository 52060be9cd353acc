"""A sound file that this build cannot read: newer architecture, other tensors, newer types.

Wordings: llama.cpp src/llama-model.cpp, llama-model-loader.cpp, llama-vocab.cpp, gguf.cpp.
"""

import re
from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import DRAFT_LOADING

_unfit = partial(pattern, FailureKind.MODEL_INCOMPATIBLE)

_ARCH = (
    "This build predates the model's architecture: use another engine for this model and skip "
    "the remaining candidates of the pair."
)
_TENSORS = (
    "The file's tensors are not those this build expects: use a newer build, or a conversion "
    "made for this one."
)
_DRAFT_TENSORS = (
    "This build does not know all of the drafter's tensors (a DFlash2 drafter holds 81, a "
    "DFlash build knows 58): use a build that supports this drafter."
)
_TYPE = "The file uses a quantisation type that this build does not know: use another build."

# The largest drafter known holds 81 tensors, the smallest target about 100.
_DRAFTER_TENSORS = 96


def _few(match: re.Match[str]) -> bool:
    """True where so few tensors are in the file that it can only be a drafter's."""
    return int(match[1]) <= _DRAFTER_TENSORS


PATTERNS = (
    _unfit(r"unknown model architecture|unsupported model architecture", "unknown_arch", _ARCH),
    _unfit(r"wrong model arch: '", "unknown_arch", _ARCH),
    _unfit(
        r"wrong number of tensors; expected (\d{1,9}), got \d+",
        "draft_tensor_count",
        _DRAFT_TENSORS,
        Level.DECISIVE,
        holds=_few,
    ),
    _unfit(
        r"wrong number of tensors; expected \d+, got \d+",
        "draft_tensor_count",
        _DRAFT_TENSORS,
        Level.DECISIVE,
        elsewhere=DRAFT_LOADING,
    ),
    _unfit(
        r"(?:wrong number of tensors|too many tensors created); expected \d+, got \d+",
        "tensor_count",
        _TENSORS,
    ),
    _unfit(
        r"missing tensor '|tensor '[^'\n]*' not found|tensor not found: ",
        "missing_tensor",
        _TENSORS,
    ),
    _unfit(
        r"has wrong shape; expected|missing tensor info mapping for"
        r"|wrong array length; expected|has wrong type \w+ but expected type",
        "wrong_shape",
        _TENSORS,
    ),
    _unfit(
        r"has invalid ggml type \d+|invalid ggml type|unknown (?:ggml |quantization )type \d+"
        r"|unknown ftype|of type \d+ \(TYPE_\w+ REMOVED|tensor type \w+ is not supported",
        "unknown_quant",
        _TYPE,
    ),
    _unfit(
        r"unknown (?:pre-tokenizer type|tokenizer)|cannot find tokenizer (?:merges|vocab)",
        "tokenizer",
        "This build does not know the model's tokenizer: use a newer build or a newer "
        "conversion of the model.",
    ),
    _unfit(
        r"key not found in model|array key not found in model"
        r"|n_expert(?:_used)? must be > 0|invalid n_rot: \d+|needs to define token type count"
        r"|incompatible DeepSeek model without a known way|cannot fix it => bailing out",
        "metadata",
        "The file lacks metadata that this build requires: use a newer conversion of the model, "
        "or the build it was made for.",
    ),
    _unfit(
        r"GGUF file is version \d+ but this software only supports",
        "gguf_version",
        "The file's GGUF version is newer than this build: use a newer build.",
    ),
    _unfit(
        r"failed to find a compatible buffer type for tensor",
        "unknown_quant",
        _TYPE,
        Level.HINT,
    ),
    _unfit(
        r"error loading model: (?!(?:llama_model_loader: )?failed to load model|unable to alloc"
        r"|error loading model)\S[^\n]*",
        "load_error",
        "The model could not be read by this build, for the reason in the message: try another "
        "build or another conversion.",
        Level.SYMPTOM,
    ),
)
