"""What servers count, under our names, and how each server spells them.

Spellings are tried in order, so that a counter which was renamed is found under its older name.
Sources: llama.cpp b11434's /metrics (read from a running server) and older releases' README;
vLLM's `vllm/v1/metrics/loggers.py` and `vllm/v1/spec_decode/metrics.py`, 0.8 to 0.32.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class ServerKind(StrEnum):
    """Which program answers."""

    LLAMA_CPP = "llama.cpp"
    VLLM = "vLLM"


class Reading(StrEnum):
    """One counter or gauge; the value is what people call it. `*_S` are seconds."""

    RUNNING = "requests being answered"
    WAITING = "requests waiting"
    GENERATED = "generated tokens"
    STEP_S = "seconds of generation"
    STEPS = "generation steps"
    FIRST_S = "seconds to first tokens"
    FIRSTS = "first tokens"
    PROMPT = "prompt tokens"
    PROMPT_S = "seconds of prompts"
    CACHED = "prompt tokens found in the cache"
    ASKED = "prompt tokens looked up in the cache"
    KV_USED = "share of the KV cache in use"
    PREEMPTED = "preemptions"
    DRAFTED = "drafted tokens"
    ACCEPTED = "accepted tokens"
    DRAFTS = "drafts"
    ACCEPTED_AT = "accepted tokens by position"


GAUGES = frozenset({Reading.RUNNING, Reading.WAITING, Reading.KV_USED})

_LLAMA: Mapping[Reading, tuple[str, ...]] = {
    Reading.RUNNING: ("llamacpp:requests_processing",),
    Reading.WAITING: ("llamacpp:requests_deferred",),
    Reading.GENERATED: ("llamacpp:tokens_predicted_total",),
    Reading.STEP_S: ("llamacpp:tokens_predicted_seconds_total",),
    Reading.STEPS: ("llamacpp:tokens_predicted_total",),
    Reading.PROMPT: ("llamacpp:prompt_tokens_total",),
    Reading.PROMPT_S: ("llamacpp:prompt_seconds_total",),
    Reading.CACHED: ("llamacpp:prompt_tokens_cached_total",),
    Reading.KV_USED: ("llamacpp:kv_cache_usage_ratio",),  # until 2025
    Reading.DRAFTED: ("llamacpp:spec_decode_num_draft_tokens_total",),
    Reading.ACCEPTED: ("llamacpp:spec_decode_num_accepted_tokens_total",),
    Reading.DRAFTS: ("llamacpp:spec_decode_num_drafts_total",),
    Reading.ACCEPTED_AT: ("llamacpp:spec_decode_num_accepted_tokens_per_pos_total",),
}

# The time per output token of whole requests counts the tokens of a draft one by one; between
# two steps (inter_token) a whole accepted draft may lie.
_VLLM: Mapping[Reading, tuple[str, ...]] = {
    Reading.RUNNING: ("vllm:num_requests_running",),
    Reading.WAITING: ("vllm:num_requests_waiting",),
    Reading.GENERATED: ("vllm:generation_tokens_total",),
    Reading.STEP_S: (
        "vllm:request_time_per_output_token_seconds_sum",
        "vllm:inter_token_latency_seconds_sum",
        "vllm:time_per_output_token_seconds_sum",
    ),
    Reading.STEPS: (
        "vllm:request_time_per_output_token_seconds_count",
        "vllm:inter_token_latency_seconds_count",
        "vllm:time_per_output_token_seconds_count",
    ),
    Reading.FIRST_S: ("vllm:time_to_first_token_seconds_sum",),
    Reading.FIRSTS: ("vllm:time_to_first_token_seconds_count",),
    Reading.PROMPT: ("vllm:prompt_tokens_total",),
    Reading.PROMPT_S: ("vllm:request_prefill_time_seconds_sum",),
    Reading.CACHED: ("vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total"),
    Reading.ASKED: ("vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total"),
    Reading.KV_USED: ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"),
    Reading.PREEMPTED: ("vllm:num_preemptions_total",),
    Reading.DRAFTED: ("vllm:spec_decode_num_draft_tokens_total",),
    Reading.ACCEPTED: ("vllm:spec_decode_num_accepted_tokens_total",),
    Reading.DRAFTS: ("vllm:spec_decode_num_drafts_total",),
    Reading.ACCEPTED_AT: ("vllm:spec_decode_num_accepted_tokens_per_pos_total",),
}

SPELLINGS: Mapping[ServerKind, Mapping[Reading, tuple[str, ...]]] = {
    ServerKind.LLAMA_CPP: _LLAMA,
    ServerKind.VLLM: _VLLM,
}

PREFIXES: Mapping[str, ServerKind] = {
    "llamacpp:": ServerKind.LLAMA_CPP,
    "vllm:": ServerKind.VLLM,
}
