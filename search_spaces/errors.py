"""What is wrong with a space, where, and what to write instead."""

from __future__ import annotations


class SpaceError(Exception):
    """A space that cannot be used: names the file, the line, the key and the next step."""

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        key: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.key = key
        self.hint = hint

    def at(self, file: str, line: int | None) -> SpaceError:
        """The same error with its place filled in, where it was not known before."""
        return SpaceError(
            self.message,
            file=self.file or file,
            line=self.line if self.line is not None else line,
            key=self.key,
            hint=self.hint,
        )

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.line is not None else "")
        head = ": ".join(part for part in (place, self.key) if part)
        return " ".join(
            part
            for part in (f"{head}: {self.message}" if head else self.message, self.hint)
            if part
        )
