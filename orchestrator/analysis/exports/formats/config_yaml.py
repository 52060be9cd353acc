"""A config.yaml: candidates under keys that stay the same from sweep to sweep."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.stamp import comments, stamp
from orchestrator.analysis.exports.tokens import on_one_line
from orchestrator.analysis.exports.yaml_text import scalar
from orchestrator.analysis.plain import numbers


class ConfigYaml:
    """A mapping of name to settings, command line and numbers, for launchers of one's own."""

    name = "config"
    meaning = "a config.yaml with a stable key for each candidate"
    suffix = ".yaml"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The whole file."""
        return "\n\n".join("\n".join(_entry(request)) for request in requests)


def _entry(request: ExportRequest) -> Iterator[str]:
    record, argv = request.record, list(on_one_line(request.argv))
    yield comments(stamp(request))
    yield f"{request.name}:"
    yield f"  command: {scalar(shlex.join(argv))}"
    yield f"  argv: {scalar(argv)}"
    yield f"  rig: {scalar(record.rig)}"
    yield f"  engine: {scalar(record.engine_label)}"
    yield f"  verified: {scalar(record.verified)}"
    yield "  candidate:"
    for name, value in record.candidate.as_dict().items():
        yield f"    {name}: {scalar(value)}"
    yield "  measured:"
    for metric, estimate in sorted(record.estimates.items()):
        yield f"    {metric}: {scalar(numbers(estimate))}"


FORMAT = ConfigYaml()
