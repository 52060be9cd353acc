"""Finds every scorer: each other module in `workers.quality.scorers` offers one as `SCORER`.

A new scorer is a new file there; a task names it by the file's name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import workers.quality.scorers as scorers
from workers.quality.scorer import Scorer


@cache
def all_scorers() -> Mapping[str, Scorer]:
    """Every scorer by its name. Raises TypeError where a module offers none of that name."""
    found: dict[str, Scorer] = {}
    for module in pkgutil.iter_modules(scorers.__path__):
        if module.name == "registry":
            continue
        imported = importlib.import_module(f"{scorers.__name__}.{module.name}")
        scorer = getattr(imported, "SCORER", None)
        if scorer is None or scorer.name != module.name:
            raise TypeError(f"workers/quality/scorers/{module.name}.py: no SCORER of that name")
        found[module.name] = scorer
    return found
