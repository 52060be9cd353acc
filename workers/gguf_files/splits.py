"""Models in several files: `name-00001-of-00003.gguf` and its siblings."""

from __future__ import annotations

import re
from pathlib import Path

from workers.gguf_files.errors import BadModelFile
from workers.gguf_files.fields import Fields

_PART = re.compile(r"^(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf$")
_MOST_PARTS = 4096


def other_parts(path: Path, fields: Fields) -> tuple[Path, ...]:
    """The remaining files of a split model, in order; none for a model in one file.

    Source: llama.cpp `llama_split_path` and the keys split.no, split.count. An engine wants
    the first part and finds the others by name.
    """
    count = fields.number("split.count", 0)
    if count <= 1:
        return ()
    name = _PART.match(path.name)
    if name is None or int(name["count"]) != count or count > _MOST_PARTS:
        raise BadModelFile(
            path,
            f"is part of a split model of {count} files but is not named like one",
            f"Give it back its name, ending in -00001-of-{count:05d}.gguf.",
        )
    first, *rest = (
        path.with_name(f"{name['stem']}-{number:05d}-of-{count:05d}.gguf")
        for number in range(1, count + 1)
    )
    if fields.number("split.no", 0) != 0:
        raise BadModelFile(path, "is not the first part of its model", f"Name {first} instead.")
    for part in rest:
        if not part.exists():
            raise BadModelFile(
                part,
                f"is missing, and {path.name} needs all {count} parts",
                "Download the missing part into the same folder.",
            )
    return tuple(rest)


def check_complete(path: Path, fields: Fields, n_tensors: int) -> None:
    """Raise if the parts together do not hold the tensors that the first one announces."""
    expected = fields.number("split.tensors.count", n_tensors)
    if expected != n_tensors:
        raise BadModelFile(
            path,
            f"announces {expected} tensors over all parts and they hold {n_tensors}",
            "Its parts come from different models: download them all again.",
        )
