"""The K/V cache types that llama.cpp's tools accept, by the names people write."""

from __future__ import annotations

# llama.cpp common/arg.cpp, `kv_cache_types`.
KV_TYPES = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1")

_MOST_TYPES = 256


def type_ids(library: object) -> dict[str, int]:
    """ggml's number of each of KV_TYPES, as the loaded ggml itself names its types.

    `library` is llama_cpp's handle of libggml. Numbers differ between forks and grow with
    versions, so they are asked for and never written down.
    """
    import ctypes

    name_of = library.ggml_type_name  # type: ignore[attr-defined]
    name_of.argtypes, name_of.restype = [ctypes.c_int], ctypes.c_char_p
    found: dict[str, int] = {}
    for number in range(_count(library)):
        name = (name_of(number) or b"").decode()
        if name in KV_TYPES:
            found[name] = number
    return found


def _count(library: object) -> int:
    """How many types there are: ggml_type_name reads a table without looking at its end."""
    import llama_cpp

    count = int(llama_cpp.GGML_TYPE_COUNT)
    if not 0 < count <= _MOST_TYPES:
        raise RuntimeError(f"llama_cpp says that ggml has {count} types")
    return count
