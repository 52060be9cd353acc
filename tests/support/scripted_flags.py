"""The command line of a scripted server: what its help lists is what it takes.

The layout is llama-server's (names first, the text in column 40, wrapped at 70 characters), the
words are short ones of our own. Two wordings exist: that of mainline since 2026, and that of
builds before it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    """One option: its names, the placeholder of its value (empty: a switch), what it means."""

    names: tuple[str, ...]
    value: str
    text: str


class UnknownFlagError(ValueError):
    """An argument that this server's help does not list."""


_COMMON = (
    Flag(("-h", "--help"), "", "print usage and exit"),
    Flag(("--version",), "", "show version and build info"),
    Flag(("--list-devices",), "", "print list of available devices and exit"),
    Flag(("-m", "--model"), "FNAME", "model path to load"),
    Flag(("-t", "--threads"), "N", "number of CPU threads to use"),
    Flag(("-c", "--ctx-size"), "N", "size of the context (default: 0, loaded from the model)"),
    Flag(("-b", "--batch-size"), "N", "logical maximum batch size (default: 2048)"),
    Flag(("-ub", "--ubatch-size"), "N", "physical maximum batch size (default: 512)"),
    Flag(("-fa", "--flash-attn"), "[on|off|auto]", "set Flash Attention use (default: 'auto')"),
    Flag(("-dev", "--device"), "<dev1,dev2,..>", "devices to use (none = don't offload)"),
    Flag(
        ("-ngl", "--gpu-layers", "--n-gpu-layers"), "N", "layers in VRAM, a number, 'auto' or 'all'"
    ),
    Flag(("-sm", "--split-mode"), "{none,layer,row,tensor}", "how to split over several GPUs"),
    Flag(("-ts", "--tensor-split"), "N0,N1,N2,...", "share of each GPU, e.g. 3,1"),
    Flag(("-ot", "--override-tensor"), "<pattern>=<buffer type>,...", "override buffer types"),
    Flag(("-ncmoe", "--n-cpu-moe"), "N", "keep the experts of the first N layers in the CPU"),
    Flag(("-np", "--parallel"), "N", "number of server slots (default: -1, auto)"),
    Flag(("-cram", "--cache-ram"), "N", "maximum cache size in MiB (default: 8192)"),
    Flag(("--host",), "HOST", "address to listen on (default: 127.0.0.1)"),
    Flag(("--port",), "PORT", "port to listen (default: 8080)"),
    Flag(("--metrics",), "", "enable the metrics endpoint (default: disabled)"),
    Flag(("--slots", "--no-slots"), "", "expose the slots endpoint (default: enabled)"),
    Flag(("-lv", "--verbosity", "--log-verbosity"), "N", "verbosity threshold"),
    Flag(("--log-file",), "FNAME", "log to file"),
    Flag(("--log-colors",), "[on|off|auto]", "colored logging (default: 'auto')"),
    Flag(("--no-warmup",), "", "skip the warm-up run"),
)

_MAINLINE = (
    Flag(("-fit", "--fit"), "[on|off]", "fit unset arguments to device memory (default: 'on')"),
    Flag(("-lm", "--load-mode"), "MODE", "loading mode: auto, none, mmap, mlock, dio"),
    Flag(("--ui", "--no-ui"), "", "whether to enable the Web UI (default: enabled)"),
    Flag(("--spec-draft-n-max",), "N", "number of tokens to draft (default: 3)"),
    Flag(("--spec-draft-n-min",), "N", "least number of draft tokens (default: 0)"),
    Flag(("--spec-draft-p-min", "--draft-p-min"), "P", "least probability (default: 0.00)"),
    Flag(("--spec-draft-device", "-devd"), "<dev1,dev2,..>", "devices of the draft model"),
    Flag(("--spec-draft-ngl", "-ngld"), "N", "draft model layers in VRAM (default: auto)"),
    Flag(("--spec-draft-model", "-md", "--model-draft"), "FNAME", "draft model"),
)

_LEGACY = (
    Flag(("--mmap", "--no-mmap"), "", "whether to memory-map the model"),
    Flag(("--no-webui",), "", "disable the Web UI"),
    Flag(("--draft-max", "--draft", "--draft-n"), "N", "tokens to draft (default: 16)"),
    Flag(("--draft-min", "--draft-n-min"), "N", "least number of draft tokens (default: 0)"),
    Flag(("--draft-p-min",), "P", "least probability (default: 0.8)"),
    Flag(("-md", "--model-draft"), "FNAME", "draft model"),
    Flag(("-ngld", "--gpu-layers-draft"), "N", "draft model layers in VRAM"),
    Flag(("-cd", "--ctx-size-draft"), "N", "context of the draft model"),
)


def flags_of(wording: str, kv_types: Sequence[str], spec_types: Sequence[str]) -> list[Flag]:
    """All options of a wording ("mainline" or "legacy") with these types."""
    types = f"allowed values: {', '.join(kv_types)} (default: f16)"
    cache = [
        Flag(names, "TYPE", f"KV cache data type for {what} {types}")
        for names, what in (
            (("-ctk", "--cache-type-k"), "K"),
            (("-ctv", "--cache-type-v"), "V"),
            (("-ctkd", "--cache-type-k-draft"), "K for the draft model"),
            (("-ctvd", "--cache-type-v-draft"), "V for the draft model"),
        )
    ]
    if wording == "legacy":
        kinds = [Flag(("--spec-type",), f"[{'|'.join(spec_types)}]", "kind of speculation")]
        return [*_COMMON, *cache, *_LEGACY, *(kinds if len(spec_types) > 1 else [])]
    kinds = [Flag(("--spec-type",), ",".join(spec_types), "comma-separated list of types")]
    return [*_COMMON, *cache, *_MAINLINE, *kinds]


def help_text(flags: Sequence[Flag]) -> str:
    """The text that --help prints."""
    lines = ["----- common params -----", ""]
    for flag in flags:
        head = ", ".join(flag.names) + (f" {flag.value}" if flag.value else "")
        text = textwrap.wrap(flag.text, 70)
        if len(head) < 40:
            lines.append(head.ljust(40) + text.pop(0))
        else:
            lines.append(head)
        lines += [" " * 40 + line for line in text]
    return "\n".join(lines) + "\n"


def parse(flags: Sequence[Flag], arguments: Sequence[str]) -> dict[str, str]:
    """The values by each flag's first name ("1" for a switch); the last one wins.

    Raises UnknownFlagError for an option that is not listed, or that lacks its value.
    """
    by_name = {name: flag for flag in flags for name in flag.names}
    values: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        flag = by_name.get(word)
        if flag is None:
            raise UnknownFlagError(word)
        value = next(words, None) if flag.value else "1"
        if value is None:
            raise UnknownFlagError(word)
        values[flag.names[0]] = value
    return values
