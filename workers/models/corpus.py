"""The texts that perplexity and divergence are measured on, known by content, not by name."""

from __future__ import annotations

from pathlib import Path

from search_spaces.names import did_you_mean
from workers.models.builtin import BUILTIN
from workers.models.errors import CorpusError, ModelError
from workers.models.hashing import file_hash

_DATA = Path(__file__).with_name("data")

# wikitext2-64k: the first 64 KiB of WikiText-2's raw test split (see its licence file).
BUILTIN_CORPORA = {"wikitext2-64k": "wikitext2-64k.txt"}

WIKITEXT2_NAME = "wiki.test.raw"

# Files called wiki.test.raw that hold WikiText-2's raw test split. Perplexities compare only
# within one of them: they differ in white space.
_KNOWN = {
    "4f3e427e4aff23acff917a8a51aeae21bf12832256e26914c8fc250dcef4103c": (
        "WikiText-2 raw, test split (rows of wikitext-2-raw-v1)"
    ),
    "a5369707c2113a1efc5139cce17438a97955dfca8f9356a1eb17152dc1f37889": (
        "WikiText-2 raw, first 64 KiB of the test split"
    ),
}


def corpus_path(reference: str) -> Path:
    """The text of `builtin:NAME` or of a path. Raises CorpusError."""
    if reference.startswith(BUILTIN):
        name = reference.removeprefix(BUILTIN)
        if name not in BUILTIN_CORPORA:
            raise CorpusError(
                f"There is no builtin corpus {name!r}.", did_you_mean(name, BUILTIN_CORPORA)
            )
        return _DATA / BUILTIN_CORPORA[name]
    path = Path(reference).expanduser()
    if not path.is_file():
        raise CorpusError(
            f"There is no corpus file {path}.",
            f"Name a text file, or {BUILTIN}{next(iter(BUILTIN_CORPORA))}.",
        )
    return path.absolute()


def corpus_hash(reference: str) -> str:
    """sha256 of the text; a perplexity means nothing without it. Raises CorpusError."""
    try:
        return file_hash(corpus_path(reference))
    except ModelError as error:
        raise CorpusError(error.message, error.hint) from None


def known_corpus_name(sha256: str) -> str | None:
    """What a text is by its content; None for one that is not known."""
    return _KNOWN.get(sha256)


def corpus_warning(reference: str) -> str | None:
    """A sentence for a file that is called like WikiText-2 and is not the known text."""
    if corpus_path(reference).name != WIKITEXT2_NAME:
        return None
    found = corpus_hash(reference)
    if known_corpus_name(found) is not None:
        return None
    return (
        f"{reference} is called {WIKITEXT2_NAME}, and its content (sha256 {found[:12]}...) is not "
        "the WikiText-2 text known here: its perplexities compare only within this file."
    )
