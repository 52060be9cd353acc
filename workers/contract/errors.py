"""The one base error of the project: a sentence for a person, with the next step in it."""

from __future__ import annotations


class OrchestrateError(Exception):
    """Something a person can act on.

    The message is one sentence that names the thing; `hint` says what to do next.
    The CLI prints both, without a traceback, and exits with `exit_code`.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)  # both, so that it survives pickling
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()
