"""Finds what a package offers: every module in it holds one thing under one name.

A new check or rule is a new file in its package; nothing that lists or runs them changes.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any


def offered(package: ModuleType, attribute: str) -> tuple[Any, ...]:
    """What the modules of a package offer, in the order of their names.

    Raises TypeError where a module offers nothing, or something that is not named like it: a
    rule that is silently left out would be a fault that is silently never found.
    """
    found = []
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
        where = f"{package.__name__}.{module.name}"
        made = getattr(importlib.import_module(where), attribute, None)
        if made is None or made.name != module.name:
            raise TypeError(f"{where}: no {attribute} named {module.name!r}")
        found.append(made)
    return tuple(found)
