"""The drafter does not go with this target, or this build cannot draft with it.

Wordings: llama.cpp common/speculative.cpp, tools/server and src/models (DFlash, EAGLE3, MTP),
2024 to 2026; ik_llama.cpp common/speculative.cpp.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern
from workers.failures.wordings import DRAFT_LOADING

_unfit = partial(pattern, FailureKind.DRAFT_INCOMPATIBLE)

_VOCAB = "The drafter's vocabulary differs from the target's: use a drafter made for this target."
_ARCH = (
    "This build does not read the drafter's architecture: use a drafter file in its format, or "
    "a build that knows this one."
)
_TENSORS = "The drafter's tensors or metadata do not suit this build: reconvert it or change build."
_HEADS = "The model holds no heads for this kind of drafting: give a drafter made for it."
_UNREADABLE = r"(?:unknown|unsupported) model architecture|missing tensor '|key not found in model"

PATTERNS = (
    # What is a model's fault elsewhere is the drafter's where a drafter was being loaded.
    _unfit(
        r"(?:unknown|unsupported) model architecture: '[^'\n]*"
        r"(?:draft|dflash|dspark|eagle|assistant|mtp)",
        "unknown_arch",
        _ARCH,
        Level.DECISIVE,
    ),
    _unfit(
        r"unknown model architecture",
        "unknown_arch",
        _ARCH,
        Level.DECISIVE,
        elsewhere=DRAFT_LOADING,
    ),
    _unfit(_UNREADABLE, "tensors", _TENSORS, Level.DECISIVE, after=DRAFT_LOADING),
    _unfit(
        _UNREADABLE, "tensors", _TENSORS, Level.DECISIVE, elsewhere=r"failed to load draft model"
    ),
    _unfit(
        r"missing tensor '(?:fc\.|hidden_norm|selector_|dflash|eagle|d2t)",
        "tensors",
        _TENSORS,
        Level.DECISIVE,
    ),
    _unfit(
        r"DFlash2? model (?:requires|is missing)|EAGLE3 (?:model )?requires"
        r"|draft model is not (?!compatible)\w+|DSpark \w+ draft expects"
        r"|target_layer_ids?\b[^\n]*out of range"
        r"|invalid DFlash draft|DFlash (?:graph requires|feature width mismatch)",
        "metadata",
        _TENSORS,
        Level.DECISIVE,
    ),
    _unfit(
        r"draft (?:model )?vocab\b[^\n]*must (?:closely )?match|target and draft vocabs are not"
        r" compatible|draft model (?:bos|eos|special) tokens must match"
        r"|target vocab size \d+ does not match draft vocab size"
        r"|draft model '[^\n]*' is not compatible with the target model"
        r"|companion vocabularies are incompatible|draft vocab special tokens must match"
        r"|vocab(?:ulary)? mismatch",
        "vocab_mismatch",
        _VOCAB,
        lasting=True,
    ),
    _unfit(
        r"model doesn't contain MTP layers|target GGUF contains no MTP tail"
        r"|not a complete embedded MTP model|missing one or more complete MTP heads"
        r"|no (?:MTP|nextn) (?:layers|heads|tensors)",
        "no_mtp_heads",
        _HEADS,
    ),
    _unfit(
        r"(?:feature|hidden state)[- ]width mismatch|n_embd (?:of|mismatch)[^\n]*draft"
        r"|draft model number of sequences is incompatible|n_seq mismatch",
        "shape_mismatch",
        "The drafter was trained for another target: use the drafter of this model.",
    ),
    _unfit(
        r"draft (?:model )?(?:arch\w*|type)[^\n]{0,40} (?:not supported|unsupported)"
        r"|does not support an external draft model|failed to share target IO tensors"
        r"|draft speculative stage requires a loaded draft model|requires a draft context"
        r"|must be a predictor-only companion GGUF",
        "no_external_draft",
        "This target and speculation type do not take this drafter: check --spec-type.",
    ),
    _unfit(
        r"failed to (?:load draft model|create (?:draft|MTP) (?:model |llama_)?context)",
        "load_failed",
        "The drafter could not be loaded and no reason was logged: load it alone with -lv 4 to "
        "see why.",
        Level.HINT,
    ),
)
