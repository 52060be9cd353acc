"""Two families of speculation: a model drafts, or text that was seen before is looked up."""

from __future__ import annotations

_LOOKUPS = ("ngram", "suffix", "copyspec", "recycle", "lookup")
_FORGETFUL = frozenset({"ngram-simple"})  # looks in the request's own text, and nowhere else


def kinds_of(spec: str) -> tuple[str, ...]:
    """The kinds in a comma list as the engine names them."""
    return tuple(kind.strip() for kind in spec.split(",") if kind.strip())


def looks_up(spec: str) -> bool:
    """True where some kind drafts from text it saw before, answers to other requests included."""
    return any(kind.startswith(_LOOKUPS) for kind in kinds_of(spec))


def remembers(spec: str) -> bool:
    """True where some kind may draft from the answers to earlier requests.

    A prompt that is asked twice is then answered from memory.
    """
    return any(k.startswith(_LOOKUPS) and k not in _FORGETFUL for k in kinds_of(spec))


def has_draft_model(spec: str) -> bool:
    """True where some kind drafts with weights: a drafter, or heads of the target itself."""
    return any(not kind.startswith(_LOOKUPS) for kind in kinds_of(spec) if kind != "none")
