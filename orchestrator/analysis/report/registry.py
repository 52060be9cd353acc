"""Finds the sections: every module in `sections/` that has a SECTION. Add a file to add one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from orchestrator.analysis.report import sections
from orchestrator.analysis.report.base import SectionMaker


@cache
def section_makers() -> tuple[SectionMaker, ...]:
    """All sections in the order in which a report has them."""
    modules = pkgutil.iter_modules(sections.__path__, sections.__name__ + ".")
    found: list[SectionMaker] = [importlib.import_module(m.name).SECTION for m in modules]
    return tuple(sorted(found, key=lambda maker: maker.order))
