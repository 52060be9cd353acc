"""The engine aborted on its own check, or the system ended it: a bug in this build.

A signal or a bare assertion only says that it died; a line that says why wins over it.
Wordings: ggml (GGML_ASSERT, GGML_ABORT), the C and C++ libraries, Windows, Python, ollama.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_crash = partial(pattern, FailureKind.ENGINE_CRASH)

_ASSERT = (
    "The engine's own check failed: a bug of this build with this model and these settings, so "
    "use another build or skip the combination."
)
_SPLIT = (
    "This build cannot combine speculation or this model with --split-mode tensor: use -sm "
    "layer, and trust no server that only reached healthy."
)
_DIED = "The engine died without saying why: try another build, and run it once with -lv 4."

PATTERNS = (
    _crash(
        r"ggml-backend-meta\.cpp:\d+: GGML_ASS?ERT",
        "spec_with_tensor_split",
        _SPLIT,
        elsewhere=r"src_ss|spec|draft|dflash|mtp",
    ),
    _crash(
        r"pre-allocated tensor \([^\n]*\) in a buffer \(Meta\(?[^\n]*that cannot run",
        "spec_with_tensor_split",
        _SPLIT,
    ),
    _crash(
        r"pre-allocated tensor \((?:output|token_embd|output_norm)\.weight\) in a buffer",
        "draft_device",
        "The drafter uses the target's own tensors and was put on another device: give both the "
        "same devices (-devd as -dev).",
    ),
    _crash(
        r"pre-allocated tensor \([^\n]* that cannot run the operation",
        "op_placement",
        _ASSERT,
        Level.HINT,
    ),
    _crash(
        r"\bGGML_ASSERT[(:]|\bAssertion\b[^\n]* failed|\bggml_abort\b|GGML_ABORT\("
        r"|\.(?:c|cc|cpp|cu|cuh|m|h):\d+: fatal error",
        "assert",
        _ASSERT,
        Level.HINT,
    ),
    _crash(
        r"llama_get_logits_ith: invalid logits id|invalid logits id -?\d+, reason",
        "invalid_logits",
        "The engine asked for logits it had not computed, as happens with some drafters: use "
        "another build for this pair.",
        Level.HINT,
    ),
    _crash(
        r"failed to decode(?: the batch)?, [^\n]*ret = -[134]\b|llama_decode returned -[134]\b"
        r"|failed to compute graph|Compute error\.|Invalid input batch\."
        r"|failed to process speculative batch|inconsistent sequence positions"
        r"|(?:ctx_dft|speculative sampling|checkpoint restore)[^\n]*failed",
        "decode_failed",
        "A decode step failed inside the engine: a bug of this build with these settings, so try "
        "another build.",
        Level.HINT,
        lasting=True,
    ),
    _crash(
        r"segmentation fault|\bSIGSEGV\b|access violation|0xc0000005|\b3221225477\b"
        r"|-1073741819\b|exception_access_violation"
        r"|(?:exit(?:s|ed)?|code|status)\W+(?:with\W+)?(?:code |status )?(?:139|-11)\b",
        "segfault",
        _DIED,
        Level.SYMPTOM,
    ),
    _crash(
        r"\bSIGABRT\b|^Aborted|: \d+ Aborted|\(core dumped\)|0xc0000409|\b3221226505\b"
        r"|terminate called|terminating due to uncaught|double free|free\(\): invalid"
        r"|stack smashing|malloc\(\): \w+|munmap_chunk|corrupted size|heap corruption"
        r"|(?:exit(?:s|ed)?|code|status)\W+(?:with\W+)?(?:code |status )?(?:134|-6)\b",
        "abort",
        _DIED,
        Level.SYMPTOM,
    ),
    _crash(
        r"(?:runner|server|engine) process (?:has terminated|no longer running|exited|died)"
        r"|0xe06d7363|llama-server exited unexpectedly",
        "terminated",
        _DIED,
        Level.GENERIC,
    ),
)
