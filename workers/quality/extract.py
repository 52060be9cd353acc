"""The program in an answer: wrapped in fences, in words, in thoughts, or in nothing."""

from __future__ import annotations

import re

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<tag>[\w+.#-]*)[^\n]*\n"
    r"(?P<text>.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_TAGS = {"python": ("python", "py", "python3"), "html": ("html", "htm", "xhtml")}
_BEGINS = {
    "python": re.compile(r"^(?:#!|import |from \w+ import |def |class |@|\"\"\")", re.MULTILINE),
    "html": re.compile(r"<!doctype html|<html", re.IGNORECASE),
}
_HTML_ENDS = re.compile(r"</html\s*>", re.IGNORECASE)


def extract(answer: str, language: str, wanted: str = "") -> str | None:
    """The program, or None where there is none.

    Of several blocks: one in the language before one without a name, one that holds `wanted`
    (the function asked for) before others, the longest of those. An answer that was cut off
    inside a block still gives what there is. Without a fence, the text from what looks like the
    beginning of a program. Nothing is parsed here: the text is not to be trusted.
    """
    text = _THOUGHTS.sub("", answer)
    fences = list(_FENCE.finditer(text))
    blocks = [(match["tag"].lower(), match["text"]) for match in fences]
    named = [block for tag, block in blocks if tag in _TAGS[language]]
    nameless = [block for tag, block in blocks if not tag and _BEGINS[language].search(block)]
    fitting = [block for block in named or nameless if block.strip()]
    if fitting:
        return max(fitting, key=lambda block: (wanted in block, len(block)))
    # Some models forget the fence at the beginning, and write the one at the end.
    return _unfenced(text[: fences[0].start()] if fences else text, language)


def _unfenced(text: str, language: str) -> str | None:
    begin = _BEGINS[language].search(text)
    if begin is None:
        return None
    ends = [match.end() for match in _HTML_ENDS.finditer(text)] if language == "html" else []
    return text[begin.start() : ends[-1] if ends else None].rstrip() + "\n"
