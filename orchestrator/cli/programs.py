"""Generated programs on a terminal: where they are, and what each scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from workers.quality.kept import Kept


def program_lines(programs: Mapping[int, Iterable[Kept]]) -> Iterator[str]:
    """A line for each folder of programs and for each task in it; a folder is told once."""
    told = {kept.answer: kept for group in programs.values() for kept in group}
    for folder, all_of_it in groupby(told.values(), lambda kept: kept.answer.parent.parent):
        yield f"\nPrograms in {folder}, scored 0 to 3:"
        for task, repetitions in groupby(all_of_it, lambda kept: kept.task):
            kept = list(repetitions)
            scores = " ".join(str(one.score) for one in kept)
            reason = min(kept, key=lambda one: one.score).reason
            yield f"  {task}: {scores}{f' ({reason})' if reason else ''}"
