"""A systemd service. Quoting: systemd.syntax(7), systemd.service(5) under COMMAND LINES."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.stamp import comments, stamp
from orchestrator.analysis.exports.tokens import lines_of, on_one_line

_UNIT = """{stamp}
[Unit]
Description={title}
After=network.target

[Service]
Type=exec
{environment}ExecStart={command}
Restart=on-failure

[Install]
WantedBy=default.target"""


class Systemd:
    """A unit that runs the server. Where several GPUs are, it sees those that were measured."""

    name = "systemd"
    meaning = "a systemd service unit"
    suffix = ".service"
    one_per_file = True

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The unit of the only request."""
        (request,) = requests
        cards = ",".join(map(str, request.cards))
        environment = f'Environment="CUDA_DEVICE_ORDER=PCI_BUS_ID" "CUDA_VISIBLE_DEVICES={cards}"\n'
        return _UNIT.format(
            stamp=comments(stamp(request)),
            title=request.name.replace("%", "%%"),
            environment=environment if cards else "",
            command=" \\\n  ".join(_command(on_one_line(request.argv))),
        )


def _command(argv: Sequence[str]) -> Iterator[str]:
    """Lines of words. The program's own name is not searched for variables, the others are."""
    first, *rest = lines_of(argv)
    program, *values = first
    if not program or ("/" in program and not program.startswith("/")):
        raise ExportError(
            f"systemd needs the whole path of {program!r}.", "Name it: --binary /PATH/llama-server."
        )
    yield " ".join([quote(program), *(quote(value).replace("$", "$$") for value in values)])
    for line in rest:
        yield " ".join(quote(word).replace("$", "$$") for word in line)


def quote(word: str) -> str:
    """One word in double quotes, its backslashes, quotes and specifiers taken literally."""
    literal = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{literal}"'


FORMAT = Systemd()
