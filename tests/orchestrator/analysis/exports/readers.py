"""How the consumers of exports read words, from their documentation: for round trips."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator


def systemd_command(unit: str) -> list[str]:
    """The words of ExecStart: lines joined, double quotes, escapes, %% and, but first, $$.

    Raises ValueError for what systemd would expand or split. Source: systemd.syntax(7) and
    systemd.service(5).
    """
    text = re.sub(r"\\\n\s*", " ", unit)
    line = next(x for x in text.splitlines() if x.startswith("ExecStart="))
    words = list(_quoted(line.removeprefix("ExecStart=")))
    words = [_once(word, "%") for word in words]
    return [words[0], *(_once(word, "$") for word in words[1:])]


def _quoted(text: str) -> Iterator[str]:
    while text:
        word = re.match(r'"((?:[^"\\]|\\.)*)"(?: |$)', text)
        if word is None:
            raise ValueError(text)
        yield re.sub(r"\\(.)", r"\1", word[1])
        text = text[word.end() :].lstrip(" ")


def _once(word: str, mark: str) -> str:
    """Doubled marks as one; a single one would be a variable or a specifier."""
    if mark in word.replace(mark * 2, ""):
        raise ValueError(word)
    return word.replace(mark * 2, mark)


def llama_swap_command(cmd: str, port: int = 5800) -> list[str]:
    """The words that llama-swap runs: comments out, macros in, then split as a POSIX shell does.

    Raises ValueError for a macro that it does not know. Source: llama-swap internal/config.
    """
    lines = [line for line in cmd.split("\n") if not line.strip().startswith("#")]
    lines = [line[:-1] + " " if line.strip().endswith("\\") else line for line in lines]
    text = "\n".join(lines).replace("${PORT}", str(port))
    if re.search(r"\$\{(env\.)?[A-Za-z0-9_-]+\}", text):
        raise ValueError(text)
    return shlex.split(text)


def compose_word(word: str) -> str:
    """A value after interpolation without variables. Raises ValueError where it has one."""
    return _once(word, "$")


def preset_values(text: str) -> dict[str, str]:
    """The values of llama.cpp's preset grammar, whatever their section (common/preset.cpp)."""
    found = {}
    for line in text.splitlines():
        pair = re.match(r"([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(.*?)[ \t]*(?:[;#].*)?$", line)
        if pair:
            found[pair[1]] = pair[2]
    return found


def modelfile(text: str) -> dict[str, str]:
    """Instructions by name; quotes are outer ones only. Source: ollama parser/parser.go."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        name, _, value = line.partition(" ")
        if name == "PARAMETER":
            name, _, value = value.partition(" ")
        mark = next((mark for mark in ('"""', '"') if value.startswith(mark)), "")
        size = len(mark)
        found[name] = value[size : len(value) - size]
    return found
