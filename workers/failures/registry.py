"""Finds every pattern: each module in `workers.failures.patterns` offers `PATTERNS`.

A new kind of failure is a new module there, a new wording one more entry in its table;
nothing here or in `classify` changes.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import workers.failures.patterns as tables
from workers.failures.pattern import Pattern


@cache
def all_patterns() -> tuple[Pattern, ...]:
    """All patterns of all tables, in the order of module names, then of each table.

    Raises TypeError where a module in the package offers no tuple of patterns: a table that is
    silently skipped would be a class of failure that is silently unknown.
    """
    found: list[Pattern] = []
    for module in sorted(pkgutil.iter_modules(tables.__path__), key=lambda item: item.name):
        table = getattr(
            importlib.import_module(f"{tables.__name__}.{module.name}"), "PATTERNS", None
        )
        if not isinstance(table, tuple) or not all(isinstance(row, Pattern) for row in table):
            raise TypeError(f"workers/failures/patterns/{module.name}.py: no tuple PATTERNS")
        found.extend(table)
    return tuple(found)
