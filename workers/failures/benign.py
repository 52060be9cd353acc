"""Lines that look like failures and are not, and lines that prove the engine got past one.

Wordings from llama.cpp (src/llama-mmap.cpp, common/fit.cpp, ggml-cuda.cu, ggml-vulkan.cpp,
tools/server) and ik_llama.cpp, read in public sources of 2023 to 2026.
"""

from __future__ import annotations

from workers.failures.pattern import rx

_BENIGN = (
    # --mlock is a wish: the model stays pageable and everything else works.
    r"failed to (?:VirtualLock|mlock)\b",
    r"Try increasing RLIMIT_MEMLOCK",
    r"mlock not supported on this system",
    # Memory fitting loads a drafter without its target, to measure it.
    r"requires ctx_other to be set",
    r"this warning is normal during memory fitting",
    r"failed to measure the memory of the (?:extra|draft) model",
    # --fit changes only what the user left open; it says so and goes on.
    r"failed to fit params to free device memory",
    r"device \S+ did not report memory; --fit will not use it",
    # Pinned host memory is an optimisation; ordinary memory is used instead.
    r"failed to (?:allocate|register) [\d.]+ Mi?B of pinned memory",
    r"Failed to allocate pinned memory",
    r"cudaHostRegister of [\d.]+ MiB failed",
    r"mmap with huge page size",
    # A prompt cache entry that does not fit is dropped, not needed.
    r"failed to allocate memory for prompt cache state",
    # A drafter with another vocabulary is used through text, which llama-server announces.
    r"tokens will be translated between the draft and target",
    # The python destructor runs on an object whose constructor raised.
    r"Exception ignored in: <(?:bound method|function) (?:Llama|_?LlamaModel|LlamaContext)",
    # Someone's prompt or answer, printed by a verbose server, may quote any error.
    r"\brequest:\s+\{.*\"(?:messages|prompt|input)\"",
)

_PROGRESS = (
    r"server is listening on",
    r"all slots are idle",
    r"starting the main loop",
    r"main: model loaded\b",
    r"\binitializing,? (?:slots, )?n_slots = \d+",
    r"\bnew slot,? n_ctx(?:_slot)? = \d+",
    r"GET /health [\d.]+ 200",
    r"Final estimate: PPL = \d",
    # The engine retries the same load in a smaller way; what failed before it was not final.
    r"retrying without pipeline parallelism",
    r"trying CPU fallback",
)

BENIGN = rx("|".join(_BENIGN))
PROGRESS = rx("|".join(_PROGRESS))
