"""The benchmark of real coverage: what it makes of measurements, and when it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.coverage_real import Subject, gather, report
from benchmarks.simulated_rigs import Protocol, measure, prompt_times
from search_spaces.candidate import Candidate
from search_spaces.recipe import Recipe
from search_spaces.space import EngineRef
from tests.support.hosts import make_rig
from workers.contract.outcome import Sample
from workers.contract.reports import EngineReport, HostReport

RIG = make_rig()
HOST = HostReport("host", (RIG,), (EngineReport("tested", "embedded"),), ())
SUBJECT = Subject(Candidate("m"), EngineRef(kind="embedded"), Recipe(), HOST, RIG)


def measurements(count: int, launch_sd: float = 0.01) -> list[list[Sample]]:
    rng = np.random.default_rng(1)
    times = prompt_times(rng, 4)
    return [list(measure(rng, times, Protocol(launch_sd=launch_sd))) for _ in range(count)]


def test_intervals_of_equal_measurements_hold_their_mean() -> None:
    text = report(SUBJECT, measurements(30), "python -m benchmarks.coverage_real")

    assert "| alone | 30 |" in text
    assert "at least 27. Reached." in text


def test_what_is_stored_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = iter(measurements(5))
    asked: list[int] = []

    def once(self: Subject, number: int, logs: Path) -> list[Sample]:
        asked.append(number)
        return next(made)

    monkeypatch.setattr(Subject, "measure", once)
    first = gather(SUBJECT, 3, tmp_path / "s.jsonl")
    both = gather(SUBJECT, 5, tmp_path / "s.jsonl")

    assert asked == [0, 1, 2, 3, 4]
    assert both[:3] == first


def test_samples_of_something_else_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"candidate": "another"}) + "\n")

    with pytest.raises(SystemExit, match="something else"):
        gather(SUBJECT, 3, path)
