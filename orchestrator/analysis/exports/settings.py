"""A command line as settings: long names for INI presets, variables for the environment.

The names were read from `llama-server --help` of build b11434. Presets and variables are a
mainline feature; a flag that is not in the table belongs to a fork, or came later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.tokens import is_flag

# long name: (other spellings, environment variable or "" where the build has none)
_FLAGS: dict[str, tuple[tuple[str, ...], str]] = {
    "model": (("m",), "LLAMA_ARG_MODEL"),
    "ctx-size": (("c",), "LLAMA_ARG_CTX_SIZE"),
    "batch-size": (("b",), "LLAMA_ARG_BATCH"),
    "ubatch-size": (("ub",), "LLAMA_ARG_UBATCH"),
    "threads": (("t",), "LLAMA_ARG_THREADS"),
    "threads-batch": (("tb",), ""),
    "flash-attn": (("fa",), "LLAMA_ARG_FLASH_ATTN"),
    "cache-type-k": (("ctk",), "LLAMA_ARG_CACHE_TYPE_K"),
    "cache-type-v": (("ctv",), "LLAMA_ARG_CACHE_TYPE_V"),
    "gpu-layers": (("ngl", "n-gpu-layers"), "LLAMA_ARG_N_GPU_LAYERS"),
    "device": (("dev",), "LLAMA_ARG_DEVICE"),
    "split-mode": (("sm",), "LLAMA_ARG_SPLIT_MODE"),
    "tensor-split": (("ts",), "LLAMA_ARG_TENSOR_SPLIT"),
    "override-tensor": (("ot",), "LLAMA_ARG_OVERRIDE_TENSOR"),
    "n-cpu-moe": (("ncmoe",), "LLAMA_ARG_N_CPU_MOE"),
    "load-mode": (("lm",), "LLAMA_ARG_LOAD_MODE"),
    "fit": (("fit",), "LLAMA_ARG_FIT"),
    "parallel": (("np",), "LLAMA_ARG_N_PARALLEL"),
    "cache-ram": (("cram",), "LLAMA_ARG_CACHE_RAM"),
    "metrics": ((), "LLAMA_ARG_ENDPOINT_METRICS"),
    "spec-type": ((), "LLAMA_ARG_SPEC_TYPE"),
    "spec-draft-model": (("md", "model-draft"), "LLAMA_ARG_SPEC_DRAFT_MODEL"),
    "spec-draft-n-max": ((), "LLAMA_ARG_SPEC_DRAFT_N_MAX"),
    "spec-draft-n-min": ((), "LLAMA_ARG_SPEC_DRAFT_N_MIN"),
    "spec-draft-p-min": (("draft-p-min",), "LLAMA_ARG_SPEC_DRAFT_P_MIN"),
    "spec-draft-ngl": (
        ("ngld", "gpu-layers-draft", "n-gpu-layers-draft"),
        "LLAMA_ARG_N_GPU_LAYERS_DRAFT",
    ),
    "spec-draft-type-k": (("ctkd", "cache-type-k-draft"), "LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_K"),
    "spec-draft-type-v": (("ctvd", "cache-type-v-draft"), "LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_V"),
    "spec-draft-device": (("devd", "device-draft"), ""),
}
_LONG = {other: name for name, (others, _) in _FLAGS.items() for other in (*others, name)}
# Where a process listens and logs is not part of a configuration: a router decides it.
_OF_THE_PROCESS = frozenset({"host", "port", "log-file", "lv", "log-verbosity", "log-colors"})


def known_names() -> tuple[str, ...]:
    """Every spelling (with its last dash) and every variable of the table."""
    return (
        *(f"-{name}" for name in _LONG),
        *(variable for _, variable in _FLAGS.values() if variable),
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One flag. `value` is None for a switch."""

    spelling: str
    value: str | None

    @property
    def long_name(self) -> str:
        """Without dashes and in full; raises ExportError for a flag that is not known."""
        name = _LONG.get(self.spelling.lstrip("-"))
        if name is None:
            raise self._unknown("has no known long name")
        return name

    @property
    def variable(self) -> str:
        """The environment variable; raises ExportError where the build has none."""
        variable = _FLAGS[self.long_name][1]
        if not variable:
            raise self._unknown("has no environment variable")
        return variable

    @property
    def text(self) -> str:
        """The value on one line, `true` for a switch; raises ExportError for a line break."""
        value = "true" if self.value is None else self.value
        if not value.isprintable():
            raise self._unknown(f"has a value that does not fit on one line: {value!r}")
        return value

    def _unknown(self, what: str) -> ExportError:
        return ExportError(
            f"The flag {self.spelling} {what}.", "Use the format command or powershell."
        )


def settings(argv: Sequence[str]) -> tuple[Setting, ...]:
    """The flags of a command line whose first entry is the binary, process-bound ones left out.

    Raises ExportError for a value that belongs to no flag.
    """
    found: list[Setting] = []
    rest = list(argv[1:])
    while rest:
        flag = rest.pop(0)
        if not is_flag(flag):
            raise ExportError(
                f"{flag!r} in the command line belongs to no flag.",
                "Use the format command or powershell.",
            )
        name, equals, inline = flag.partition("=")
        value = inline if equals else rest.pop(0) if rest and not is_flag(rest[0]) else None
        if name.lstrip("-") not in _OF_THE_PROCESS:
            found.append(Setting(name, value))
    return tuple(found)
