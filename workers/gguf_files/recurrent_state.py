"""The size of a recurrent layer's state."""

from __future__ import annotations

from workers.gguf_files.fields import Fields

_F32 = 4  # both state tensors are f32 whatever the KV type


def recurrent_layer_bytes(fields: Fields, n_embd: int, n_head: int, head_dim: int) -> int | None:
    """One sequence's state in one recurrent layer, in bytes; None where keys are missing.

    Source: llama.cpp b11312 src/llama-hparams.cpp, `n_embd_r` (the convolution or token-shift
    history) + `n_embd_s` (the state proper). Seen: Qwen3.6-27B 149.62 MiB over 48 layers.
    """
    elements = _history(fields, n_embd, n_head) + _state(fields, n_embd, n_head, head_dim)
    return elements * _F32 if elements else None


def _history(fields: Fields, n_embd: int, n_head: int) -> int:
    if fields.number("wkv.head_size", 0):
        return fields.number("token_shift_count", 2) * n_embd
    short_conv = fields.number("shortconv.l_cache", 0)
    if short_conv:
        return n_embd * (short_conv - 1)
    kernel = fields.number("ssm.conv_kernel", 0)
    kda = fields.number("kda.head_dim", 0)
    if kda:
        return 3 * (kernel - 1 if kernel else 3) * n_head * kda
    groups, state = fields.number("ssm.group_count", 0), fields.number("ssm.state_size", 0)
    return max(kernel - 1, 0) * (fields.number("ssm.inner_size", 0) + 2 * groups * state)


def _state(fields: Fields, n_embd: int, n_head: int, head_dim: int) -> int:
    wkv = fields.number("wkv.head_size", 0)
    if wkv:
        return n_embd * wkv
    kda = fields.number("kda.head_dim", 0)
    if kda:
        return kda * kda * n_head
    if fields.architecture == "minimax-01":
        return head_dim * head_dim * n_head
    return fields.number("ssm.state_size", 0) * fields.number("ssm.inner_size", 0)
