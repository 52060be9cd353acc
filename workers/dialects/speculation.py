"""The part of a command line that says how to speculate."""

from __future__ import annotations

from pathlib import Path

from search_spaces.candidate import NO_SPEC, Candidate
from workers.contract.failure import Phase
from workers.dialects.dialect import IMPLIED, Dialect
from workers.dialects.spellings import our_kind
from workers.engines.base import EngineError
from workers.engines.diagnose import missing, no_drafter

_LENGTHS = ("n_max", "n_min", "p_min")


def speculation(dialect: Dialect, candidate: Candidate, drafter: Path | str | None) -> list[str]:
    """The flags for a candidate's `spec`, drafter, lengths and controller.

    Raises EngineError: capability_missing for a kind or a setting the build lacks,
    invalid_config for a drafter that is needed and not given.
    """
    kinds = _kinds(dialect, candidate)
    if kinds == (NO_SPEC,):
        return _joined_kinds(dialect, kinds)
    lengths = _lengths(dialect, candidate, kinds)
    if dialect.table.joined:
        arguments = _kinds_with_lengths(dialect, kinds, lengths)
    else:
        arguments = _joined_kinds(dialect, kinds)
        for name, value in lengths.items():
            arguments += [flag(dialect, _own(kinds, name)), value]
    if candidate.needs_drafter:
        if drafter is None:
            raise no_drafter(candidate.spec)
        arguments = [flag(dialect, "drafter"), str(drafter), *arguments]
    return arguments + _controller(dialect, candidate)


def flag(dialect: Dialect, setting: str) -> str:
    """The build's flag for a setting. Raises EngineError where it has none."""
    spelling = dialect.flags.get(setting)
    if spelling is None:
        raise lacks(dialect, f"flag for {setting}")
    return spelling


def lacks(dialect: Dialect, what: str, advice: str = "") -> EngineError:
    """The error for something that a build of this dialect does not have."""
    advice = advice or "Remove the setting from the space, or use a build that has it."
    return missing(what, f"this build (dialect {dialect.name})", advice, Phase.LOAD)


def _kinds(dialect: Dialect, candidate: Candidate) -> tuple[str, ...]:
    kinds = tuple(our_kind(name.strip()) for name in candidate.spec.split(","))
    for kind in kinds:
        if kind not in dialect.kinds:
            has = ", ".join(dialect.kinds)
            raise lacks(dialect, f"spec type {kind!r}", f"It has: {has}.")
    if len(kinds) > 1 and not dialect.table.combines:
        raise lacks(dialect, "way to combine spec types", "Name one spec type.")
    return kinds


def _lengths(dialect: Dialect, candidate: Candidate, kinds: tuple[str, ...]) -> dict[str, str]:
    found = {
        name: f"{value:g}" for name in _LENGTHS if (value := getattr(candidate, name)) is not None
    }
    # Its default has changed between builds (0.75, 0.0), so a drafter gets it said.
    drafting = any(kind.startswith("draft-") for kind in kinds)
    if drafting and (dialect.table.joined or "p_min" in dialect.flags):
        found.setdefault("p_min", "0")
    return found


def _own(kinds: tuple[str, ...], name: str) -> str:
    """The setting that holds a length: the drafters', or the kind's own where it is alone."""
    if any(kind.startswith("draft-") for kind in kinds):
        return name
    return f"{'+'.join(kinds)}.{name}"


def _joined_kinds(dialect: Dialect, kinds: tuple[str, ...]) -> list[str]:
    names = [dialect.kinds[kind] for kind in kinds if dialect.kinds[kind] != IMPLIED]
    return [flag(dialect, "spec"), ",".join(names)] if names else []


def _kinds_with_lengths(
    dialect: Dialect, kinds: tuple[str, ...], lengths: dict[str, str]
) -> list[str]:
    # The lengths are the drafter's where there is one, otherwise the only kind's.
    owner = next((kind for kind in kinds if kind.startswith("draft-")), kinds[0])
    arguments: list[str] = []
    for kind in kinds:
        text = dialect.kinds[kind]
        if kind == owner and lengths:
            text += ":" + ",".join(f"{name}={value}" for name, value in lengths.items())
        arguments += [flag(dialect, "spec"), text]
    return arguments


def _controller(dialect: Dialect, candidate: Candidate) -> list[str]:
    """An adaptive controller changes the draft length while it is measured: off unless asked."""
    wanted = candidate.controller or "off"
    if wanted not in ("on", "off"):
        raise lacks(dialect, f"controller {wanted!r}", "Write controller: on or off.")
    spelling = dialect.flags.get(f"controller_{wanted}")
    if spelling is None and wanted == "on":
        raise lacks(dialect, "adaptive draft controller")
    return spelling.split() if spelling else []
