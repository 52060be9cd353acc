"""Which of very many points are drawn: enough to show the shape, few enough to stay quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MOST = 2_000  # points that are described, sent and drawn without a delay on two cores
MOST_TIES = 300  # those with error bars, each of which is several lines
_ACROSS, _UP = 120, 80


def thinned(data: DataFrame, x: str, y: str, most: int = MOST) -> DataFrame:
    """At most `most` rows, the first of each cell of a grid, so that outliers stay.

    Rows without both values are left out first. The order of rows is kept.
    """
    known = data[data[x].notna() & data[y].notna()]
    if len(known) <= most:
        return known
    across, up = _ACROSS, _UP
    while True:
        cells = _cells(known, x, across) * up + _cells(known, y, up)
        kept = known[~cells.duplicated()]
        if len(kept) <= most:
            return kept
        across, up = across * 3 // 4, up * 3 // 4


def _cells(data: DataFrame, name: str, count: int) -> Series[int]:
    low, high = data[name].min(), data[name].max()
    share = (data[name] - low) / (high - low) if high > low else data[name] * 0.0
    return (share * (count - 1)).round().astype(int)
