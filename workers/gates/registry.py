"""Finds every gate: each module in `workers.gates.checks` offers one as `GATE`.

A new gate is a new file there; nothing here or in `run` changes.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import workers.gates.checks as checks
from workers.gates.base import Gate

MOMENTS = ("launch", "deep", "measured")
ALWAYS = "always"


@cache
def all_gates() -> tuple[Gate, ...]:
    """All gates, in the order of their modules' names.

    Raises TypeError where a module offers no gate, or one that could never run: a check that is
    silently skipped is worse than none.
    """
    found: list[Gate] = []
    for module in sorted(pkgutil.iter_modules(checks.__path__), key=lambda item: item.name):
        where = f"workers/gates/checks/{module.name}.py"
        gate = getattr(importlib.import_module(f"{checks.__name__}.{module.name}"), "GATE", None)
        if gate is None:
            raise TypeError(f"{where}: no GATE")
        if gate.name != module.name:
            raise TypeError(f"{where}: its gate is called {gate.name!r}")
        if gate.when not in (*MOMENTS, ALWAYS):
            raise TypeError(f"{where}: `when` is {gate.when!r}, not one of {(*MOMENTS, ALWAYS)}")
        found.append(gate)
    return tuple(found)
