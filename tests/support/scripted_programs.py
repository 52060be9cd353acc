"""Quality as a scripted pool tells it: two programs, one right and one wrong, kept as files."""

from __future__ import annotations

from pathlib import Path

from search_spaces.metrics import Facet
from workers.contract.job import Job
from workers.contract.outcome import FacetResult, LaunchRecord, Sample
from workers.contract.reports import Build
from workers.quality.kept import keep
from workers.quality.score import Score
from workers.quality.task import tasks_of
from workers.statistics.scores import quality

PROGRAM = "def to_roman(number): return 'I'"


def launches_of(job: Job) -> tuple[LaunchRecord, ...]:
    """The launch that the programs were asked of."""
    return (LaunchRecord(("llama-server",), f"{job.log_dir}/quality.log", 4243, 2.5),)


def programs(job: Job) -> FacetResult:
    """The result of a job's quality facet."""
    (task,) = tasks_of("to_roman")
    for repetition, score in enumerate((Score(3), Score(1, {"loads": True}, "1 of 7 cases"))):
        keep(Path(job.log_dir), task, repetition, PROGRAM, PROGRAM, score)
    samples = tuple(
        Sample("to_roman", {"score": score}, repeat=repetition, group="functions")
        for repetition, score in enumerate((3.0, 1.0))
    )
    build = Build("server", "b11434", job.resolved.engine, "/engines/llama-server")
    key = job.memo[Facet.QUALITY]
    return FacetResult(Facet.QUALITY, key, build, (quality(samples),), samples)
