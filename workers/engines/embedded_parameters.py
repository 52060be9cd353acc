"""From our settings to xllamacpp's `CommonParams`. Runs in the child only."""

from __future__ import annotations

from typing import Any

from workers.engines.embedded_settings import EmbeddedSettings

# What llama-server accepts for a KV cache; the enumeration also lists weight formats, with
# which the engine would abort (common/arg.cpp, kv_cache_types).
KV_TYPES = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1")

_ALL_LAYERS = -2  # common/arg.cpp: -1 is auto, -2 is all

# Where each kind of speculation without a drafter keeps its own lengths (common/common.h).
_OWN_LENGTHS: dict[str, tuple[str, dict[str, str]]] = {
    "ngram-mod": ("ngram_mod", {"n_max": "n_max", "n_min": "n_min"}),
    "ngram-simple": ("ngram_simple", {"n_max": "size_m"}),
    "ngram-map-k": ("ngram_map_k", {"n_max": "size_m"}),
    "ngram-map-k4v": ("ngram_map_k4v", {"n_max": "size_m"}),
}


class UnsupportedError(Exception):
    """This build has no such KV type, kind of speculation or load mode."""


def kv_types() -> tuple[str, ...]:
    """The KV cache types of this build."""
    return tuple(name for name in KV_TYPES if _member("ggml_type", "GGML_TYPE_", name) is not None)


def spec_types() -> tuple[str, ...]:
    """The kinds of speculation of this build, by llama-server's names."""
    import xllamacpp

    prefix = "COMMON_SPECULATIVE_TYPE_"
    names = (kind.name.removeprefix(prefix) for kind in xllamacpp.common_speculative_type)
    return tuple(name.lower().replace("_", "-") for name in names if name != "COUNT")


def parameters(settings: EmbeddedSettings) -> Any:
    """`CommonParams` for one launch; raises UnsupportedError."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings.model
    params.hostnames = ["127.0.0.1"]
    params.port = settings.port
    params.n_ctx, params.n_batch, params.n_ubatch = settings.ctx, settings.batch, settings.ubatch
    params.cache_type_k = _kv(settings.kv_k)
    params.cache_type_v = _kv(settings.kv_v)
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.n_gpu_layers = _ALL_LAYERS if settings.ngl == "all" else int(settings.ngl)
    params.n_parallel, params.cache_ram_mib = 1, 0
    params.fit_params, params.warmup, params.ui = False, True, False
    params.endpoint_metrics, params.endpoint_slots = True, True
    params.verbosity = settings.verbosity
    if settings.load_mode is not None:
        name = {"dio": "direct_io"}.get(settings.load_mode, settings.load_mode).replace("+", "_")
        params.load_mode = _needed("llama_load_mode", "LLAMA_LOAD_MODE_", name, "load mode")
    speculative = params.speculative
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = settings.threads
    for cpu in (speculative.draft.cpuparams, speculative.draft.cpuparams_batch):
        cpu.n_threads = settings.threads
    _speculate(speculative, settings)
    return params


def _speculate(speculative: Any, settings: EmbeddedSettings) -> None:
    speculative.types = [
        _needed("common_speculative_type", "COMMON_SPECULATIVE_TYPE_", kind, "spec type")
        for kind in settings.spec
    ]
    draft = speculative.draft
    draft.n_gpu_layers = _ALL_LAYERS
    if settings.drafter is not None:
        draft.mparams.path = settings.drafter
    if settings.draft_kv_k is not None:
        draft.cache_type_k = _kv(settings.draft_kv_k)
    if settings.draft_kv_v is not None:
        draft.cache_type_v = _kv(settings.draft_kv_v)
    target, names = _lengths_of(speculative, settings.spec)
    for name in ("n_max", "n_min", "p_min"):
        if (value := getattr(settings, name)) is not None:
            if name not in names:
                raise UnsupportedError(f"{name} for spec type {','.join(settings.spec)!r}")
            setattr(target, names[name], value)


def _lengths_of(speculative: Any, kinds: tuple[str, ...]) -> tuple[Any, dict[str, str]]:
    """Where the lengths of a draft are kept, and how they are called there.

    They are the drafter's where there is one, otherwise those of the only kind.
    """
    if any(kind.startswith("draft-") for kind in kinds):
        return speculative.draft, {"n_max": "n_max", "n_min": "n_min", "p_min": "p_min"}
    part, names = _OWN_LENGTHS.get("+".join(kinds), ("draft", {}))
    return getattr(speculative, part), names


def _kv(name: str) -> Any:
    if name not in KV_TYPES:
        raise UnsupportedError(f"KV cache type {name!r}")
    return _needed("ggml_type", "GGML_TYPE_", name, "KV cache type")


def _needed(enumeration: str, prefix: str, name: str, what: str) -> Any:
    member = _member(enumeration, prefix, name)
    if member is None:
        raise UnsupportedError(f"{what} {name!r}")
    return member


def _member(enumeration: str, prefix: str, name: str) -> Any:
    import xllamacpp

    members = getattr(xllamacpp, enumeration).__members__
    return members.get(prefix + name.upper().replace("-", "_"))
