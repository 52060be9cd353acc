"""Recorded tables of speeds (CSV) as candidates with a true rate for each prompt.

Known are `h200_demo_pair/h200_surface.csv` (with `h200_ppl.csv` beside it) and tables with a column
`n_max` and a rate for each of the prompts code, prose and bash. Lines that begin with # are notes.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROMPTS = ("code", "prose", "bash")
_ALIKE = ("gpu", "quant", "ctx", "kv")  # only candidates with the same of these are compared


@dataclass(frozen=True, slots=True)
class Rates:
    """A candidate: tok/s by prompt, and its loss (lower is better; 0 where all are equal)."""

    name: str
    tok_s: dict[str, float]
    loss: float = 0.0


def experiments(folder: Path) -> Iterator[tuple[str, list[Rates]]]:
    """Each recorded sweep that can be read, by a name, its candidates in the order recorded."""
    for path in sorted(folder.glob("*.csv")):
        rows = _rows(path)
        if rows and {"n_max", *PROMPTS} <= rows[0].keys():
            yield from _by_columns(path.stem, rows)
    surface = folder / "h200_demo_pair" / "h200_surface.csv"
    if surface.is_file():
        yield from _surface(_rows(surface), _rows(surface.with_name("h200_ppl.csv")))


def _rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if line and not line.startswith("#")))


def _by_columns(stem: str, rows: list[dict[str, str]]) -> Iterator[tuple[str, list[Rates]]]:
    """A row is a candidate, its prompts are columns."""
    groups: dict[tuple[str, ...], list[Rates]] = defaultdict(list)
    for row in rows:
        if not all(row.get(prompt) for prompt in PROMPTS):
            continue
        shared = tuple(row[name] for name in _ALIKE if name in row)
        settings = [row[name] for name in ("split_mode", "n_max", "p_min") if name in row]
        rates = {prompt: float(row[prompt]) for prompt in PROMPTS}
        groups[shared].append(Rates("/".join(settings), rates))
    for shared, found in groups.items():
        if len(found) > 1:
            yield " ".join((stem, *shared)), found


def _surface(
    rows: list[dict[str, str]], quality: list[dict[str, str]]
) -> Iterator[tuple[str, list[Rates]]]:
    """A row is a candidate's answer to one prompt; perplexity is by K/V pair."""
    ppl = {(q["target_quant"], q["kv_k"], q["kv_v"]): float(q["ppl"]) for q in quality}
    groups: dict[str, dict[tuple[str, ...], dict[str, float]]] = defaultdict(dict)
    for row in rows:
        settings = tuple(
            row[name] for name in ("target_quant", "kv_k", "kv_v", "spec", "n_max", "draft_file")
        )
        groups[row["ctx"]].setdefault(settings, {})[row["prompt"]] = float(row["tok_s"])
    for ctx, found in groups.items():
        shared = set.intersection(*(set(rates) for rates in found.values()))
        yield (
            f"h200_surface ctx {ctx}",
            [
                Rates("/".join(s), {p: rates[p] for p in sorted(shared)}, ppl[s[0], s[1], s[2]])
                for s, rates in found.items()
            ],
        )
