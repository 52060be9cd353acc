"""Prometheus text as numbers, and whose server wrote it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from workers.doctor.server.vocabulary import PREFIXES, ServerKind

Labels = Mapping[str, str]


class NotMetricsError(ValueError):
    """A text that is no Prometheus exposition."""


@dataclass(frozen=True)
class Scrape:
    """One answer of /metrics. `at` is when, in seconds of a monotonic clock."""

    at: float
    series: Mapping[str, tuple[tuple[Labels, float], ...]]

    @property
    def kind(self) -> ServerKind | None:
        """Whose metrics these are; None where they are nobody's that we know."""
        prefixes = (p for p in PREFIXES if any(name.startswith(p) for name in self.series))
        return next((PREFIXES[p] for p in prefixes), None)

    def rows(self, spellings: tuple[str, ...]) -> tuple[tuple[Labels, float], ...]:
        """The label sets under the first spelling that is there; a `_total` may be missing."""
        for name in spellings:
            for spelt in (name, name.removesuffix("_total")):
                if spelt in self.series:
                    return self.series[spelt]
        return ()


def parse(text: str, at: float = 0.0) -> Scrape:
    """Reads an exposition (text format 0.0.4). Raises NotMetricsError.

    Builds of llama.cpp around b7010 sent the text as one JSON string; that is undone.
    """
    from prometheus_client.parser import text_string_to_metric_families

    if text.startswith('"'):
        try:
            text = str(json.loads(text))
        except ValueError:
            raise NotMetricsError("a quoted text that is no JSON") from None
    found: dict[str, list[tuple[Labels, float]]] = defaultdict(list)
    try:
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found[sample.name].append((dict(sample.labels), float(sample.value)))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise NotMetricsError(f"{type(error).__name__}: {error}") from None
    return Scrape(at, {name: tuple(rows) for name, rows in found.items()})
