"""A combination of settings that can run on no card: reject it before the launch.

Wordings: llama.cpp common/arg.cpp, src/llama-context.cpp and llama.cpp, tools/perplexity,
tools/llama-bench, ik_llama.cpp, llama-cpp-python, pydantic.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_invalid = partial(pattern, FailureKind.INVALID_CONFIG)

_SHORT = (
    "The text is too short for a perplexity: give a corpus of at least two chunks, or a smaller "
    "chunk; the exit code says nothing here."
)
_VALUE = "The flag does not take this value: correct it in the space."

PATTERNS = (
    _invalid(
        r"you need at least \d+ tokens|data file you provided tokenizes to only"
        r"|there are only \d+ tokens, this is not enough",
        "ppl_too_short",
        _SHORT,
        Level.DECISIVE,
        lasting=True,
    ),
    _invalid(
        # With one chunk there is no deviation to take; with NaN there is none either, which
        # the table of broken quality claims first.
        r"Unexpected negative standard deviation of log\(prob\)",
        "ppl_too_short",
        _SHORT,
        lasting=True,
    ),
    _invalid(
        r"has been computed with \d+, while the current context is|inconsistent vocabulary \("
        r"|file containing log-probabilities|failed reading (?:log-probs|n_vocab, n_chunk)"
        r"|name of a file containing the log probabilities",
        "kld_base",
        "The saved base logits do not belong to this model, context or corpus: write them again "
        "with the same settings.",
    ),
    _invalid(
        r"n_batch (?:<|>=?|%|must)[^\n]*n_(?:ctx|ubatch)|n_ubatch >= n_tokens"
        r"|n_batch and n_ubatch cannot both be zero|n_tokens_all <= (?:cparams\.)?n_batch"
        r"|requires '--ctx-size' > 0|n_ctx_seq == 0|n_ctx_train cannot both be zero"
        r"|stride is -?\d+ but must be greater",
        "batch",
        "The batch sizes and the context do not go together: make -b a multiple of the chunk, "
        "and -ub no larger than -b.",
    ),
    _invalid(
        r"SPLIT_MODE_TENSOR requires flash_attn|SPLIT_MODE_TENSOR needs >= 1 devices"
        r"|SPLIT_MODE_TENSOR and KV cache quantization",
        "split_mode",
        "Tensor split needs flash attention (and, in older builds, an f16 KV cache): change one "
        "of them.",
    ),
    _invalid(
        r"invalid (?:value for main_gpu|device(?: specification)?:)|no devices specified"
        r"|Invalid device index|Device with index \d+ does not exist|invalid device ordinal"
        r"|exceed maximum supported devices|unknown buffer type|invalid device \d+",
        "device",
        "The candidate names a device that this build does not see: compare --list-devices and "
        "CUDA_VISIBLE_DEVICES.",
    ),
    _invalid(
        r"limited to a single server slot|n_seq_max must be <=|n_parallel\b[^\n]*invalid"
        r"|invalid value for n_parallel|Try using a bigger --parallel",
        "parallel",
        "The number of slots does not fit this engine and speculation type: use -np 1.",
    ),
    _invalid(
        r"ngram (?:size|n-max|n-min|min hits)[^\n]*must be|speculative stage \w+[^\n]* must"
        r"|invalid speculative stage|spec-synth-rates[^\n]*(?:must|count)"
        r"|Gemma4 assistant models only support MTP",
        "spec_value",
        "A speculation setting is out of range or of the wrong kind: correct it in the space.",
    ),
    _invalid(
        r"error while handling argument|invalid parameter for argument|expected value for"
        r" argument|invalid stoi argument|Value must be between|Invalid buft override"
        r"|error: --model is required|validation errors? for|error: unknown value for",
        "flag_value",
        _VALUE,
        Level.HINT,
    ),
    _invalid(
        r"failed to initialize the context: (?!failed to (?:allocate|initialize|reserve))\S",
        "context_refused",
        "The engine refused a context with these settings, for the reason in the message: "
        "exclude the combination.",
        Level.SYMPTOM,
    ),
    _invalid(
        r"error: failed to open (?:(?:prompt )?file )?'?|file does not exist or cannot be opened",
        "input_file",
        "A file named in the flags (corpus, template, cache) is not there: check its path.",
        Level.HINT,
    ),
)
