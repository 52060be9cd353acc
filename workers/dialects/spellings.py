"""Our settings and how builds spell them, the present mainline's spelling first.

A build gets the first spelling that its help text lists, so one table serves every fork; only
what cannot be said as a spelling is code, in the dialect's own file.
"""

from __future__ import annotations

from collections.abc import Mapping

# Settings with a value of ours: the value follows the flag.
VALUED: Mapping[str, tuple[str, ...]] = {
    "model": ("-m", "--model"),
    "ctx": ("-c", "--ctx-size"),
    "batch": ("-b", "--batch-size"),
    "ubatch": ("-ub", "--ubatch-size"),
    "ngl": ("-ngl", "--n-gpu-layers"),
    "kv_k": ("-ctk", "--cache-type-k"),
    "kv_v": ("-ctv", "--cache-type-v"),
    "threads": ("-t", "--threads"),
    "split_mode": ("-sm", "--split-mode"),
    "tensor_split": ("-ts", "--tensor-split"),
    "n_cpu_moe": ("-ncmoe", "--n-cpu-moe"),
    "override_tensor": ("-ot", "--override-tensor"),
    "device": ("-dev", "--device"),
    "spec": ("--spec-type",),
    "drafter": ("-md", "--model-draft", "--spec-draft-model"),
    "draft_ngl": ("-ngld", "--gpu-layers-draft", "--spec-draft-ngl"),
    "draft_device": ("-devd", "--device-draft", "--spec-draft-device"),
    "draft_kv_k": ("-ctkd", "--cache-type-k-draft", "--spec-draft-type-k"),
    "draft_kv_v": ("-ctvd", "--cache-type-v-draft", "--spec-draft-type-v"),
    "n_max": ("--spec-draft-n-max", "--draft-max", "--draft"),
    "n_min": ("--spec-draft-n-min", "--draft-min", "--draft-n-min"),
    "p_min": ("--spec-draft-p-min", "--draft-p-min"),
    # Kinds of speculation without a drafter keep lengths of their own; older builds share.
    "ngram-mod.n_max": ("--spec-ngram-mod-n-max", "--draft-max"),
    "ngram-mod.n_min": ("--spec-ngram-mod-n-min", "--draft-min"),
    "ngram-simple.n_max": ("--spec-ngram-simple-size-m", "--spec-ngram-size-m"),
    "ngram-map-k.n_max": ("--spec-ngram-map-k-size-m", "--spec-ngram-size-m"),
    "ngram-map-k4v.n_max": ("--spec-ngram-map-k4v-size-m", "--spec-ngram-size-m"),
    "suffix.n_max": ("--spec-draft-n-max", "--draft-max"),
    "copyspec.n_max": ("--spec-draft-n-max", "--draft-max"),
    "recycle.n_max": ("--spec-draft-n-max", "--draft-max"),
    "host": ("--host",),
    "port": ("--port",),
    "verbosity": ("-lv",),
}

# Settings with one fixed value: the whole spelling, or a switch.
FIXED: Mapping[str, tuple[str, ...]] = {
    "flash_on": ("-fa on", "--flash-attn on", "-fa", "--flash-attn"),
    "fit_off": ("-fit off", "--fit off"),
    "one_slot": ("-np 1", "--parallel 1"),
    "no_prompt_cache": ("--cache-ram 0", "-cram 0"),
    "all_layers": ("-ngl all", "--n-gpu-layers all", "-ngl 999", "--n-gpu-layers 999"),
    "all_draft_layers": ("-ngld all", "--gpu-layers-draft all", "-ngld 999"),
    "no_device": ("-dev none", "--device none"),
    "metrics": ("--metrics",),
    "slots": ("--slots",),
    "no_ui": ("--no-ui", "--no-webui", "--webui none"),
    "controller_off": ("--spec-dm-controller off", "--no-spec-dm-adaptive"),
    "controller_on": ("--spec-dm-controller profit", "--spec-dm-adaptive"),
    "load_mmap": ("--load-mode mmap", "-lm mmap", "--mmap"),
    "load_none": ("--load-mode none", "-lm none", "--no-mmap"),
    "load_mlock": ("--load-mode mlock", "-lm mlock", "--mlock"),
    "load_mmap+mlock": ("--load-mode mmap+mlock", "-lm mmap+mlock"),
    "load_dio": ("--load-mode dio", "-lm dio", "--direct-io"),
    "load_auto": ("--load-mode auto", "-lm auto"),
}

# Kinds of speculation: our name (mainline's), then what else builds call it.
KINDS: Mapping[str, tuple[str, ...]] = {
    "draft-simple": ("draft-simple", "draft"),
    "draft-eagle3": ("draft-eagle3", "eagle3"),
    "draft-mtp": ("draft-mtp", "mtp", "nextn"),
    "draft-dflash": ("draft-dflash", "dflash"),
    "draft-dspark": ("draft-dspark", "dspark"),
}

_OURS = {name: ours for ours, names in KINDS.items() for name in names}


def our_kind(name: str) -> str:
    """Our name of a kind of speculation; a name that nobody else uses stays as it is."""
    return _OURS.get(name, name)
