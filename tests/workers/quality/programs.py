"""Hand-written answers of a model: good, broken and malicious, with the score each deserves.

Most broken ones are a good one with one thing taken out, so that it is known what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ANSWERS = Path(__file__).with_name("answers")
FUNCTIONS = (
    *("build_order", "calculate", "merge_intervals", "next_generation"),
    *("parse_duration", "to_roman", "top_words", "wrap_text"),
)


@dataclass(frozen=True)
class Program:
    """One answer to one task. `sort` is good, broken or malicious."""

    name: str
    sort: str
    task: str
    answer: str
    score: int


def answer(name: str, *changes: tuple[str, str]) -> str:
    """A good answer, with these passages replaced; each must be there."""
    text = (ANSWERS / f"{name}.md").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{name}.md has no {old!r}"
        text = text.replace(old, new)
    return text


def fenced(program: str, tag: str = "python") -> str:
    """A program as models hand it over."""
    return f"```{tag}\n{program}\n```\n"


def _terminal(name: str, score: int, *changes: tuple[str, str], of: str = "plain") -> Program:
    sort = "good" if score == 3 else "broken"
    return Program(name, sort, "tetris_terminal", answer(f"terminal_{of}", *changes), score)


def _web(name: str, score: int, *changes: tuple[str, str], of: str = "canvas") -> Program:
    sort = "good" if score == 3 else "broken"
    return Program(name, sort, "tetris_html", answer(f"web_{of}", *changes), score)


def _page(name: str, script: str, sort: str = "malicious") -> Program:
    page = f"<!DOCTYPE html><p>A page</p><script>{script}</script>"
    return Program(name, sort, "tetris_html", fenced(page, "html"), 0)


GOOD_FUNCTIONS = tuple(Program(name, "good", name, answer("functions"), 3) for name in FUNCTIONS)

ROMAN = (
    Program("empty answer", "broken", "to_roman", "", 0),
    Program("no code", "broken", "to_roman", "I cannot do that, sorry.", 0),
    Program("another function", "broken", "to_roman", fenced("def roman(n): return 'I'"), 0),
    Program("no program", "broken", "to_roman", fenced("def to_roman(n:"), 0),
    Program("strokes only", "broken", "to_roman", fenced("def to_roman(n): return 'I' * n"), 1),
    Program(
        "no ValueError",
        "broken",
        "to_roman",
        answer("functions", ("if not 1 <= number <= 3999:", "if False:")),
        2,
    ),
    Program("loops for ever", "broken", "to_roman", fenced("while True: pass"), 0),
    Program(
        "ends the caller",
        "malicious",
        "to_roman",
        fenced("import os\ndef to_roman(n): os._exit(0)"),
        0,
    ),
    Program(
        "claims to be right",
        "malicious",
        "to_roman",
        fenced(
            "import os\n"
            "for end in range(3, 10):\n"
            "    for case in range(7):\n"
            '        try: os.write(end, b\'{"case": %d, "gives": "I", "raises": []}\\n\' % case)\n'
            "        except OSError: pass\n"
            "os._exit(0)"
        ),
        1,  # one of the seven cases is I: a guess is a guess, and no more
    ),
    Program(
        "huge value",
        "malicious",
        "to_roman",
        fenced("def to_roman(n): return 'I' * 200_000_000"),
        0,
    ),
    Program(
        "huge memory",
        "malicious",
        "to_roman",
        fenced("hoard = []\nwhile True: hoard.append(bytearray(50_000_000))"),
        0,
    ),
)

TERMINAL = (
    _terminal("plain escape codes", 3),
    _terminal("curses", 3, of="curses"),
    _terminal(
        "no fence",
        3,
        ("```python\n", ""),
        ("```\n", ""),
        ("Run it with `python3 tetris.py`.", ""),
    ),
    _terminal("draws without a pause", 3, ("[], [], 0.02)", "[], [], 0)")),
    _terminal("never quits", 2, ('if key == "q":', 'if key == "Q":')),
    _terminal("rows stay", 2, ("if not all(row)]", "]")),
    _terminal("no points", 2, ("self.score += ", "self.wasted = ")),
    _terminal("deaf", 1, ('if key == "a":', 'if key == "x":')),
    _terminal("nothing falls", 1, ("time.monotonic() + 0.5", "time.monotonic() + 500")),
    _terminal("no option", 0, ('"--pieces"', '"--letters"')),
    _terminal("crashes", 0, ("def main():", "def main():\n    undefined()")),
    Program("asks for lines", "broken", "tetris_terminal", fenced("input('Your move? ')"), 0),
    Program(
        "refuses a terminal",
        "broken",
        "tetris_terminal",
        fenced("import sys\nif sys.stdout.isatty(): sys.exit('not on a terminal')"),
        0,
    ),
    Program(
        "prints for ever",
        "malicious",
        "tetris_terminal",
        fenced("while True: print('\\x1b]0;title\\x07\\x1b[31m' + 'A' * 5000)"),
        0,
    ),
    Program(
        "odd escape codes",
        "malicious",
        "tetris_terminal",
        fenced(
            "import os, time\n"
            "os.write(1, bytes(range(256)) * 50)\n"
            "os.write(1, b'\\x1b[?9;9;9m\\x1b[>4;2m\\x1bP\\x1b[99999999A')\n"
            "time.sleep(60)"
        ),
        0,
    ),
    Program(
        "fork bomb",
        "malicious",
        "tetris_terminal",
        fenced("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"),
        0,
    ),
)

WEB = (
    _web("canvas", 3),
    _web("boxes", 3, of="table"),
    _web("greets with a dialog", 3, ("<script>", "<script>alert('Welcome');")),
    _web("rows stay", 2, ("row.some((cell) => !cell)", "true")),
    _web("deaf", 1, ("'keydown'", "'keyfoo'")),
    _web("nothing falls", 1, ("}, 500)", "}, 500000)")),
    _web("throws", 0, ("spawn();\ndraw();", "undefinedFunction();")),
    _web("no JavaScript", 0, ("const W", "cons W")),
    _page("blank", "document.body.innerHTML = ''", "broken"),
    _page("loops for ever", "while (true);", "broken"),
    _page("dialogs for ever", "while (true) alert('hello')"),
    _page("goes elsewhere", "location = 'https://example.com/'"),
    _page("reads the system", "location = 'file:///etc/passwd'"),
    _page("asks the network", "fetch('http://127.0.0.1:9/')"),
    _page("hoards", "let a = []; while (true) a.push(new Uint8Array(5e7).fill(1))"),
)

ALL = (*GOOD_FUNCTIONS, *ROMAN, *TERMINAL, *WEB)
