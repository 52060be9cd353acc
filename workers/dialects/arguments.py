"""A candidate as a command line, for launching and for people to copy."""

from __future__ import annotations

import shlex
from pathlib import Path

from search_spaces.candidate import Candidate
from search_spaces.variants import flags_of
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.reports import RigKind
from workers.dialects.dialect import Dialect
from workers.dialects.speculation import flag, lacks, speculation
from workers.engines.base import Assets, EngineError

# Placement: our setting is one value behind one flag.
_PLACEMENT = ("split_mode", "tensor_split", "n_cpu_moe", "override_tensor")

# Always said where a build knows it, so that no default of it can differ.
_SAME_FOR_ALL = ("flash_on", "fit_off", "one_slot")
_FOR_MEASURING = ("no_prompt_cache", "metrics", "slots", "no_ui")


def arguments(
    dialect: Dialect,
    candidate: Candidate,
    assets: Assets,
    kind: RigKind,
    threads: int,
    verbosity: int | None = None,
) -> list[str]:
    """Everything behind the binary's name but host and port.

    Raises EngineError (capability_missing) for a setting this build has no flag for.
    """
    words = _settings(dialect, candidate, assets.model, assets.drafter, kind)
    words += [flag(dialect, "threads"), str(candidate.threads or threads)]
    for setting in _FOR_MEASURING:
        words += dialect.flags.get(setting, "").split()
    if verbosity is not None and "verbosity" in dialect.flags:
        words += [dialect.flags["verbosity"], str(verbosity)]
    return words + _extra(dialect, candidate, words)


def scoring_arguments(
    dialect: Dialect, candidate: Candidate, assets: Assets, kind: RigKind, threads: int
) -> list[str]:
    """Flags for a tool of the same build that scores a text: no server, no speculation.

    A tool's -np would be the number of chunks at once, which it derives from -b itself. Extra
    flags are a server's: a score is remembered without them, and a tool may not know them.
    """
    words = [flag(dialect, "model"), str(assets.model), *_kv(dialect, candidate)]
    words += _common(dialect, candidate, kind, ("flash_on", "fit_off"))
    return [*words, flag(dialect, "threads"), str(candidate.threads or threads)]


def command_line(
    candidate: Candidate,
    model_path: Path | str,
    drafter_path: Path | str | None,
    dialect: Dialect,
    binary: str = "llama-server",
) -> list[str]:
    """The command that serves this candidate: what was measured, without what only a
    measurement needs (port, prompt cache off, metrics). Raises EngineError like `arguments`."""
    words = _settings(dialect, candidate, model_path, drafter_path, None)
    if candidate.threads:
        words += [flag(dialect, "threads"), str(candidate.threads)]
    return [binary, *words, *_extra(dialect, candidate, words)]


def _settings(
    dialect: Dialect,
    candidate: Candidate,
    model: Path | str,
    drafter: Path | str | None,
    kind: RigKind | None,
) -> list[str]:
    words = [flag(dialect, "model"), str(model)]
    words += speculation(dialect, candidate, drafter)
    words += _kv(dialect, candidate)
    return words + _common(dialect, candidate, kind, _SAME_FOR_ALL)


def _common(
    dialect: Dialect, candidate: Candidate, kind: RigKind | None, always: tuple[str, ...]
) -> list[str]:
    """What every program of a build takes: sizes and placement."""
    words: list[str] = []
    for setting in always:
        words += dialect.flags.get(setting, "").split()
    for setting in ("ctx", "batch", "ubatch"):
        words += [flag(dialect, setting), str(getattr(candidate, setting))]
    words += _layers(dialect, candidate, kind)
    for setting in _PLACEMENT:
        if (value := getattr(candidate, setting)) is not None:
            words += [flag(dialect, setting), str(value)]
    if candidate.load_mode is not None:
        words += _load_mode(dialect, candidate.load_mode)
    return words


def _kv(dialect: Dialect, candidate: Candidate) -> list[str]:
    words: list[str] = []
    for setting, known in (
        ("kv_k", dialect.kv_types),
        ("kv_v", dialect.kv_types),
        ("draft_kv_k", dialect.draft_kv_types),
        ("draft_kv_v", dialect.draft_kv_types),
    ):
        value = getattr(candidate, setting)
        if value is None or (setting.startswith("draft_") and not candidate.needs_drafter):
            continue
        if value in dialect.table.redirects:
            advice = f"It takes the name {value} and uses another type: name that one."
            raise lacks(dialect, f"KV cache type {value!r}", advice)
        if known and value not in known:
            raise lacks(dialect, f"KV cache type {value!r}", f"It has: {', '.join(known)}.")
        words += [flag(dialect, setting), value]
    return words


def _layers(dialect: Dialect, candidate: Candidate, kind: RigKind | None) -> list[str]:
    """Where the layers go; `kind` is None for a command that may run anywhere."""
    drafts = candidate.needs_drafter
    if kind is RigKind.CPU:
        # A build with another backend (Vulkan) must not use a GPU behind our back. A build
        # without any lists no such flags in its help (ik_llama.cpp): nothing to say then.
        words = dialect.flags.get("no_device", "").split()
        for setting in ("ngl", "draft_ngl") if drafts else ("ngl",):
            if setting in dialect.flags:
                words += [dialect.flags[setting], "0"]
        return words
    if candidate.ngl == "all":
        words = flag(dialect, "all_layers").split()
    else:
        words = [flag(dialect, "ngl"), candidate.ngl]
    if drafts:
        words += flag(dialect, "all_draft_layers").split()
        if candidate.draft_device is not None:
            words += [flag(dialect, "draft_device"), candidate.draft_device]
    return words


def _load_mode(dialect: Dialect, mode: str) -> list[str]:
    spelling = dialect.flags.get(f"load_{mode}")
    if spelling is not None:
        return spelling.split()
    if mode == "mmap" and dialect.flags.get("load_none") == "--no-mmap":
        return []  # what such a build does unless told not to
    raise lacks(dialect, f"load mode {mode!r}")


def _extra(dialect: Dialect, candidate: Candidate, words: list[str]) -> list[str]:
    """The flags of a named variant, as typed. Raises EngineError for one that is a setting."""
    extra = shlex.split(flags_of(candidate.flags))
    ours = {*words, *(spelling.split()[0] for spelling in dialect.flags.values())}
    for word in extra:
        if word.startswith("-") and word.partition("=")[0] in ours:
            diagnosis = Diagnosis(
                kind=FailureKind.INVALID_CONFIG,
                evidence=f"flags: {word} is set by a parameter of its own",
                advice="Use that parameter, so that what is recorded is what runs.",
                deterministic=True,
            )
            raise EngineError(diagnosis, Phase.LOAD)
    return extra
