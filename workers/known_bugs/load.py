"""The registry: every file in `workers/known_bugs/bugs/` is one bug."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import ValidationError

from search_spaces.errors import SpaceError
from search_spaces.source import parse
from workers.contract.errors import OrchestrateError
from workers.known_bugs.bug import FLAG, KnownBug

BUGS = Path(__file__).with_name("bugs")


class KnownBugError(OrchestrateError):
    """An entry that cannot be read; names the file and the key."""


@cache
def known_bugs(folder: Path = BUGS) -> tuple[KnownBug, ...]:
    """All entries, by their ids. Raises KnownBugError for one that does not say what it means."""
    return tuple(load(path) for path in sorted(folder.glob("*.yaml")))


def load(path: Path) -> KnownBug:
    """One entry. Raises KnownBugError."""
    try:
        data = parse(path.read_text(encoding="utf-8"), path.name).data
        bug = KnownBug.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "the entry"
        raise KnownBugError(f"{path.name}: {key}: {first['msg']}.", _hint()) from None
    except SpaceError as error:
        raise KnownBugError(str(error), _hint()) from None
    except (OSError, UnicodeDecodeError) as error:
        raise KnownBugError(f"{path} cannot be read: {error}.", _hint()) from None
    if bug.id != path.stem:
        raise KnownBugError(f"{path.name}: its id is {bug.id!r}.", f"Call it {bug.id}.yaml.")
    return bug


def of_flag(flag: str) -> KnownBug | None:
    """The bug that a result's flag means; None for other flags and for bugs no longer listed."""
    return next((bug for bug in known_bugs() if bug.flag == flag), None) if is_one(flag) else None


def is_one(flag: str) -> bool:
    """Whether a flag names a known bug."""
    return flag.startswith(FLAG)


def _hint() -> str:
    return "workers/known_bugs/bug.py says which keys there are and what they mean."
