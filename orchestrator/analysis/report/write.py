"""A report in a format: every module in `formats/` that has a FORMAT. Add a file to add one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Protocol

from orchestrator.analysis.report import formats
from orchestrator.analysis.report.make import Report
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError


class ReportFormat(Protocol):
    """`name` is what people type, `meaning` one line about it."""

    name: str
    meaning: str

    def render(self, report: Report) -> str:
        """The whole report."""
        ...


@cache
def report_formats() -> dict[str, ReportFormat]:
    """All formats by name."""
    modules = pkgutil.iter_modules(formats.__path__, formats.__name__ + ".")
    found: list[ReportFormat] = [importlib.import_module(m.name).FORMAT for m in modules]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def write(report: Report, form: str) -> str:
    """The report as text that ends in one line break. Raises OrchestrateError."""
    return format_named(form).render(report).rstrip("\n") + "\n"


def format_named(form: str) -> ReportFormat:
    """The format of that name. Raises OrchestrateError that names the nearest one."""
    known = report_formats()
    if form not in known:
        raise OrchestrateError(f"unknown report format {form!r}.", did_you_mean(form, known))
    return known[form]
