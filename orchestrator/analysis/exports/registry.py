"""Finds the export formats: every module in `formats/` that has a FORMAT. Add a file to add one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache

from orchestrator.analysis.exports import formats
from orchestrator.analysis.exports.base import ExportError, ExportFormat, ExportRequest, check
from orchestrator.analysis.exports.names import distinct
from search_spaces.names import did_you_mean


@cache
def export_formats() -> dict[str, ExportFormat]:
    """All formats by name."""
    found: dict[str, ExportFormat] = {}
    for module in pkgutil.iter_modules(formats.__path__, formats.__name__ + "."):
        one: ExportFormat = importlib.import_module(module.name).FORMAT
        found[one.name] = one
    return dict(sorted(found.items()))


def format_named(name: str) -> ExportFormat:
    """The format of that name. Raises ExportError for an unknown one."""
    known = export_formats()
    if name not in known:
        raise ExportError(f"unknown export format {name!r}.", did_you_mean(name, known))
    return known[name]


def export(name: str, requests: Sequence[ExportRequest]) -> str:
    """The requests in a format, ending in a line break.

    Raises ExportError for an unknown format, an empty list, several candidates where a file
    holds one, and for candidates that are simulated, failed or not measured.
    """
    form = format_named(name)
    if not requests:
        raise ExportError("there is nothing to export.", "Name a candidate, for example: best.")
    for request in requests:
        check(request)
    if form.one_per_file and len(requests) > 1:
        raise ExportError(
            f"the {name} format holds one candidate in a file.",
            "Name one, or a folder for all of them: --output FOLDER.",
        )
    return form.render(distinct(requests)).rstrip("\n") + "\n"


def export_files(name: str, requests: Sequence[ExportRequest]) -> dict[str, str]:
    """A file for each request, by its name. Raises ExportError like `export`."""
    suffix = format_named(name).suffix
    return {f"{one.name}{suffix}": export(name, [one]) for one in distinct(requests)}
