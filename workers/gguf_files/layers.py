"""Which layer keeps what: the rules of `create_memory`, applied to one file's metadata."""

from __future__ import annotations

from collections.abc import Iterable

from workers.contract.model_header import LayerMap
from workers.gguf_files import architectures as known
from workers.gguf_files.fields import Fields


def map_layers(
    fields: Fields,
    n_layer: int,
    n_layer_all: int,
    n_head_kv: tuple[int, ...],
    indexer: Iterable[int] = (),
) -> tuple[LayerMap, int]:
    """The layer map and the sliding window in tokens (0 without SWA layers).

    `indexer` are the layers that own `blk.N.indexer.*` tensors. A file that is all next-token
    layers (a separate MTP drafter) has no trunk and uses them all.
    """
    arch = fields.architecture
    trunk = range(n_layer or n_layer_all)
    nextn = tuple(range(n_layer, n_layer_all)) if n_layer else ()
    if arch in known.NO_CACHE:
        return LayerMap(nextn=nextn), 0
    recurrent = _recurrent(fields, trunk, n_layer_all, n_head_kv)
    attention = [i for i in trunk if n_head_kv[i] > 0 and _has_own_cache(fields, i, n_layer_all)]
    if arch not in known.RECURRENT_AND_ATTENTION:
        attention = [i for i in attention if i not in recurrent]
    window, swa, certain = _sliding(fields, trunk, attention)
    if arch in known.NOT_MODELLED or _cache_depends_on_engine(fields):
        certain = False
    layers = LayerMap(
        full=tuple(i for i in attention if i not in swa),
        swa=tuple(i for i in attention if i in swa),
        recurrent=tuple(sorted(recurrent)),
        indexer=tuple(i for i in indexer if i in trunk),
        nextn=nextn,
        certain=certain,
    )
    return layers, window if layers.swa else 0


def _recurrent(
    fields: Fields, trunk: range, n_layer_all: int, n_head_kv: tuple[int, ...]
) -> frozenset[int]:
    arch = fields.architecture
    if arch in known.RECURRENT or arch in known.RECURRENT_AND_ATTENTION:
        return frozenset(trunk)
    if arch in known.FULL_ATTENTION_INTERVAL:
        listed = fields.listed("attention.recurrent_layers")
        if listed:
            return frozenset(i for i in trunk if i < len(listed) and listed[i])
        default = known.FULL_ATTENTION_INTERVAL[arch]
        interval = fields.number("full_attention_interval", default) or default
        return frozenset(i for i in trunk if (i + 1) % interval != 0)
    if arch in known.RECURRENT_WITHOUT_HEADS:
        return frozenset(i for i in trunk if n_head_kv[i] == 0)
    if arch in known.RECURRENT_WITHOUT_HEADS_AND_FFN:
        n_ff = fields.numbers("feed_forward_length", n_layer_all, 0)
        return frozenset(i for i in trunk if n_head_kv[i] == 0 and n_ff[i] == 0)
    return frozenset()


def _has_own_cache(fields: Fields, layer: int, n_layer_all: int) -> bool:
    """False for a layer that reads the cache of an earlier one (`n_layer_kv_from_start`)."""
    from_start = known.KV_FROM_START.get(fields.architecture)
    if from_start is None:
        from_start = n_layer_all - fields.number("attention.shared_kv_layers", 0)
    return layer < from_start


def _sliding(
    fields: Fields, trunk: range, attention: list[int]
) -> tuple[int, frozenset[int], bool]:
    """Window, SWA layers, and whether the rule is known for this architecture."""
    arch = fields.architecture
    none: frozenset[int] = frozenset()
    window = fields.number("attention.sliding_window", 0)
    if arch in known.SWA_IGNORED or (arch == "exaone4" and len(trunk) != 64):
        return 0, none, True
    if arch in known.ALL_SWA:
        return window, frozenset(attention) if window else none, True
    rule = known.INTERLEAVED.get(arch)
    if rule is not None:
        named = fields.get("attention.sliding_window") is not None
        window = window if named else rule.default
        window = rule.fixed or window if window else 0
        return window, _by_pattern(fields, trunk, rule) if window else none, True
    listed = fields.listed("attention.sliding_window_pattern")
    if window and listed:
        return window, _as_listed(trunk, listed), arch in known.LISTED_SWA
    # A window without a list: an architecture unknown here might use it by a rule of its own.
    return 0, none, not window


def _by_pattern(fields: Fields, trunk: range, rule: known.Interleave) -> frozenset[int]:
    """llama.cpp `load_swa_pattern` and `set_swa_pattern`: a list in the file wins."""
    listed = fields.listed("attention.sliding_window_pattern")
    if listed:
        return _as_listed(trunk, listed)
    period = fields.number("attention.sliding_window_pattern", rule.period)
    if period == 0:
        return frozenset(trunk)
    full = 0 if rule.dense_first else period - 1
    return frozenset(i for i in trunk if i % period != full)


def _as_listed(trunk: range, listed: tuple[int, ...]) -> frozenset[int]:
    return frozenset(i for i in trunk if i < len(listed) and listed[i])


def _cache_depends_on_engine(fields: Fields) -> bool:
    """Files of before MLA: one engine keeps the whole KV, another compresses it on load."""
    has_rank = fields.number("attention.kv_lora_rank", 0) > 0
    return has_rank and fields.number("attention.key_length_mla", 0) == 0
