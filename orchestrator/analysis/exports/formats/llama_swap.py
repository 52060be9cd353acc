"""A configuration of llama-swap: https://github.com/mostlygeek/llama-swap."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.stamp import comments, one_line, stamp
from orchestrator.analysis.exports.tokens import lines_of, on_one_line
from orchestrator.analysis.exports.yaml_text import indented, scalar


class LlamaSwap:
    """One model per candidate. llama-swap chooses the port, and loads one model at a time."""

    name = "llama-swap"
    meaning = "models of a llama-swap config.yaml"
    suffix = ".yaml"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The whole file."""
        return "models:\n" + "\n\n".join(map(self._model, requests))

    @staticmethod
    def _model(request: ExportRequest) -> str:
        # A block keeps every character; llama-swap itself splits it as a POSIX shell would.
        lines = [" ".join(map(quote, line)) for line in lines_of(on_one_line(request.argv))]
        command = "\n".join([*lines, "--host 127.0.0.1", "--port ${PORT}"])
        title = scalar(one_line(request.title).replace("${", "$ {"))  # no macro there either
        text = f"{comments(stamp(request))}\n{request.name}:\n  name: {title}\n"
        return indented(f"{text}  cmd: |\n{indented(command, 4)}", 2)


def quote(token: str) -> str:
    """A word for a POSIX splitter, in which llama-swap finds no ${macro} of its own."""
    return shlex.quote(token).replace("${", "$''{")


FORMAT = LlamaSwap()
