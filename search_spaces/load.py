"""From a file or a builtin name to a checked Space."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from search_spaces.builtin import PROFILES, SPACES, builtin_names, profile_names
from search_spaces.checks import check
from search_spaces.errors import SpaceError
from search_spaces.explain import explain, place_of
from search_spaces.names import did_you_mean, shown
from search_spaces.profiles import Profile
from search_spaces.rigs import RigFile
from search_spaces.source import MAX_BYTES, parse
from search_spaces.space import Space

Data = TypeVar("Data", bound=BaseModel)


def find(reference: str) -> Path:
    """A file by path, else a builtin space by name with or without .yaml."""
    name = reference.removesuffix(".yaml").removesuffix(".yml")
    try:
        path = Path(reference).expanduser()
        if path.is_file():
            return path
        if name in builtin_names():
            return SPACES / f"{name}.yaml"
        if path.is_dir():
            raise SpaceError(
                f"{shown(reference)} is a directory.", hint="Name the YAML file in it."
            )
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpaceError(f"{shown(reference)} cannot be read: {reason}.") from None
    raise SpaceError(
        f"no file {shown(reference)}, and no builtin space of that name.",
        hint=did_you_mean(name, builtin_names()),
    )


def load(reference: str) -> Space:
    """The checked space; raises SpaceError that names file, line, key and nearest valid name."""
    path = find(reference)
    return loads(_text_of(path), file=str(path))


def load_rigs(path: Path) -> RigFile:
    """A file of rigs; raises SpaceError as `load` does."""
    return load_data(path, RigFile)


def load_profile(reference: str) -> Profile:
    """A profile of a rig: a file by path, else a builtin one by name. Raises SpaceError."""
    name = reference.removesuffix(".yaml").removesuffix(".yml")
    path = Path(reference).expanduser()
    if not path.is_file():
        if name not in profile_names():
            raise SpaceError(
                f"no file {shown(reference)}, and no builtin profile of that name.",
                hint=did_you_mean(name, profile_names()),
            )
        path = PROFILES / f"{name}.yaml"
    return load_data(path, Profile)


def load_data(path: Path, model: type[Data]) -> Data:
    """Any other YAML file of ours, validated; raises SpaceError as `load` does."""
    source = parse(_text_of(path), str(path))
    try:
        return model.model_validate(source.data)
    except ValidationError as error:
        raise explain(error, source, model) from None


def _text_of(path: Path) -> str:
    file = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SpaceError(f"the file is larger than {MAX_BYTES:,} bytes.", file=file)
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SpaceError("the file is not UTF-8 text.", file=file) from None
    except OSError as error:
        raise SpaceError(f"cannot be read: {error.strerror or error}.", file=file) from None


def loads(text: str, file: str = "<text>") -> Space:
    """The same from text."""
    source = parse(text, file)
    if not isinstance(source.data, dict):
        raise SpaceError(
            "a space is a mapping of keys.",
            file=file,
            line=source.line(()),
            hint="Start with name: and objectives:.",
        )
    try:
        space = Space.model_validate(source.data)
        check(space)
    except ValidationError as error:
        raise explain(error, source) from None
    except SpaceError as error:
        raise error.at(file, source.line(place_of(error.key, source.data))) from None
    return space
