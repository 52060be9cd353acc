"""Values as YAML writes them: JSON's spelling is YAML's double-quoted style."""

from __future__ import annotations

import json
from typing import Any


def scalar(value: Any) -> str:
    """A text, number, list or mapping on one line. Texts must be printable."""
    return json.dumps(value, ensure_ascii=False)


def indented(text: str, spaces: int) -> str:
    """The text with every line moved to the right."""
    return "\n".join(" " * spaces + line for line in text.splitlines())
