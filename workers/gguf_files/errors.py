"""The one error of this room: a model file that cannot be used, and what to do about it."""

from __future__ import annotations

from pathlib import Path

from workers.contract.errors import OrchestrateError


class BadModelFile(OrchestrateError):  # noqa: N818 - the file is at fault
    """A file that no engine would load; `path` is the file at fault (one part of a split)."""

    def __init__(self, path: Path, fault: str, hint: str) -> None:
        super().__init__(f"{path} {fault}.", hint)
        self.path = path

    def __reduce__(self) -> tuple[type[BadModelFile], tuple[Path, str, str]]:
        # Workers hand errors over process borders; the default would lose the arguments.
        fault = self.message.removeprefix(f"{self.path} ").removesuffix(".")
        return (type(self), (self.path, fault, self.hint))
