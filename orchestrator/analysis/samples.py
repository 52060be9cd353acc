"""Samples of one memo key that several jobs contributed, as one measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from db.rows import SampleRow
from workers.contract.outcome import Sample


def merged(rows: Sequence[SampleRow]) -> list[Sample]:
    """Every job's launches numbered on: launch 0 of a later job is another launch."""
    merged: list[Sample] = []
    offset, job, highest = 0, rows[0].job_id if rows else "", -1
    for row in rows:
        if row.job_id != job:
            job, offset = row.job_id, highest + 1
        sample = replace(row.sample, launch=row.sample.launch + offset)
        highest = max(highest, sample.launch)
        merged.append(sample)
    return merged
