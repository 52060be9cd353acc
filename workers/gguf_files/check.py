"""What is wrong with a pair or a context, before an engine spends a minute to say so.

Only what is certain is reported: a wrong "no" would hide a configuration for ever.
"""

from __future__ import annotations

from workers.contract.model_header import ModelHeader

# SPEC_VOCAB_MAX_SIZE_DIFFERENCE in llama.cpp common/speculative.cpp: padding may differ.
_VOCAB_SIZE_SLACK = 128


def check_pair(target: ModelHeader, drafter: ModelHeader) -> str | None:
    """One sentence on why this drafter cannot serve this target, or None."""
    if drafter.architecture == "gemma4-assistant" and target.architecture != "gemma4":
        return (
            f"{drafter.name} shares the KV cache of a Gemma 4 target, "
            f"and {target.name} is {target.architecture}: pair it with its own target."
        )
    if drafter.draft is not None:
        problem = _taps_problem(target, drafter)
        if problem is not None:
            return problem
        # Without an embedding of its own the drafter speaks the target's vocabulary.
        if drafter.weights.token_embd == 0:
            return None
    return _vocab_problem(target, drafter)


def _taps_problem(target: ModelHeader, drafter: ModelHeader) -> str | None:
    """DFlash and EAGLE-3 read hidden states out of the target: do layers and widths fit?

    Source: llama.cpp `set_embeddings_layer_inp` (asserts layer <= n_layer: n_layer itself is
    the output of the last) and `n_embd_inp_enc` (taps times the target's width).
    """
    assert drafter.draft is not None
    too_deep = [layer for layer in drafter.draft.target_layers if layer > target.n_layer]
    if too_deep:
        return (
            f"{drafter.name} reads layer {max(too_deep)} of its target, "
            f"and {target.name} has {target.n_layer} layers: it was trained for another model."
        )
    # A DFlash drafter is as wide as its target; EAGLE-3 names the target's width.
    is_dflash = drafter.architecture == "dflash"
    width = drafter.n_embd if is_dflash else drafter.draft.target_hidden_size
    if width is not None and width != target.n_embd:
        return (
            f"{drafter.name} expects a target with hidden size {width}, "
            f"and {target.name} has {target.n_embd}: it was trained for another model."
        )
    return None


def _vocab_problem(target: ModelHeader, drafter: ModelHeader) -> str | None:
    """Source: llama.cpp `common_speculative_are_compatible`."""
    if "" not in (target.tokenizer_model, drafter.tokenizer_model) and (
        target.tokenizer_model != drafter.tokenizer_model
    ):
        return (
            f"{drafter.name} has a {drafter.tokenizer_model} tokenizer and {target.name} a "
            f"{target.tokenizer_model} one: pick a drafter of the same model family."
        )
    if 0 in (target.n_vocab, drafter.n_vocab):
        return None
    if abs(target.n_vocab - drafter.n_vocab) > _VOCAB_SIZE_SLACK:
        return (
            f"{drafter.name} has {drafter.n_vocab} tokens and {target.name} {target.n_vocab}: "
            "pick a drafter with the same vocabulary."
        )
    hashes_known = target.vocab_hash and drafter.vocab_hash
    same_size = target.n_vocab == drafter.n_vocab
    if hashes_known and same_size and target.vocab_hash != drafter.vocab_hash:
        return (
            f"The tokens of {drafter.name} and {target.name} differ: "
            "pick a drafter with the same vocabulary."
        )
    return None
