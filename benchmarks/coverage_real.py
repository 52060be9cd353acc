"""How often the 95 % intervals of tok/s hold the long-run mean, over real repeated measurements.

    python -m benchmarks.coverage_real [--engine BIN_DIR] [--model REF]
        [--spec draft-dflash --drafter REF --n-max 3] [--measurements 30]
        [--samples FILE.jsonl] [--out benchmarks/results/coverage_real.md]

Measures one candidate again and again with the project's own throughput facet, each time with
engines of its own, as a sweep would: no Ray, no study. Raw samples go to `--samples` as they come;
the same command goes on with what is there. The long-run mean of a measurement is that of all the
others. `alone` is the interval of one measurement by itself; `pooled` the one a sweep gives, with
the launch spread of the rig, here learnt from the other measurements.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from orchestrator.sweeping.resolve import Resolver
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe, ThroughputRecipe
from search_spaces.space import EngineRef, Space
from workers.contract.job import Job
from workers.contract.outcome import Completed, Estimate, Sample
from workers.contract.reports import HostReport, RigReport
from workers.rig_worker import RigWorker
from workers.statistics.launches import by_launch
from workers.statistics.rate import of_launches, relative_half_width
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import pool
from workers.survey import SurveyRequest, survey

WANTED = 0.9  # the share of intervals that must hold the mean: 27 of 30
KINDS = ("alone", "pooled")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, and where."""

    candidate: Candidate
    engine: EngineRef
    recipe: Recipe
    host: HostReport
    rig: RigReport

    @property
    def facts(self) -> dict[str, Any]:
        """What makes two measurements repetitions of one another."""
        (engine,), recipe = self.host.engines, self.recipe.throughput
        build = engine.build("server")
        return {
            "candidate": self.candidate.as_dict(),
            "build": build.label if build else "",
            "rig": [card.name for card in self.rig.cards] or [self.rig.cpu_model],
            "threads": self.rig.threads,
            "recipe": recipe.model_dump(
                include={"suite", "prompts", "predict", "launches", "passes"}
            ),
        }

    def measure(self, number: int, logs: Path) -> list[Sample]:
        """One measurement. Ends the program where it fails."""
        measure = Space.model_construct(measure=self.recipe, objectives={}, constraints=())
        resolved = Resolver(measure, self.rig, self.host).resolve(self.candidate)
        job = Job(
            id=f"measurement-{number}",
            resolved=resolved,
            engine=self.engine,
            facets=(Facet.THROUGHPUT,),
            recipe=self.recipe,
            memo={Facet.THROUGHPUT: f"measurement-{number}"},
            seed=number,
            log_dir=str(logs / str(number)),
        )
        worker = RigWorker(self.rig)
        if (taken := worker.claim()) is not None:
            sys.exit(taken)
        try:
            outcome = worker.run(job)
        finally:
            worker.release()
        if not isinstance(outcome, Completed):
            sys.exit(f"{outcome.diagnosis.kind}: {outcome.diagnosis.evidence}")
        return list(outcome.results[0].samples)


def subject(options: argparse.Namespace) -> Subject:
    """Looks for the engine, the models and the rig. Ends the program where one is missing."""
    ref = EngineRef(path=options.engine) if options.engine else EngineRef(kind="embedded")
    candidate = Candidate(
        model=options.model,
        engine="tested",
        ctx=options.ctx,
        spec=options.spec,
        drafter=options.drafter,
        n_max=options.n_max,
    )
    throughput = ThroughputRecipe(
        prompts=options.prompts,
        predict=options.predict,
        launches=options.launches,
        passes=options.passes,
        max_passes=options.passes,
    )
    models = tuple(name for name in (options.model, options.drafter) if name)
    host = survey(SurveyRequest({"tested": ref}, models, suites=(throughput.suite,)))
    problems = [engine.problem for engine in host.engines] + [m.problem for m in host.models]
    if any(problems):
        sys.exit(next(problem for problem in problems if problem))
    rigs = [rig for rig in host.rigs if options.rig in ("", rig.name)]
    if not rigs:
        sys.exit(f"there is no rig {options.rig!r} here, but {[rig.name for rig in host.rigs]}")
    return Subject(candidate, ref, Recipe(throughput=throughput), host, rigs[0])


def gather(one: Subject, measurements: int, path: Path) -> list[list[Sample]]:
    """Measures until there are enough; a line is a measurement, the first says of what."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if lines and json.loads(lines[0]) != one.facts:
        sys.exit(f"{path} holds measurements of something else; name another --samples")
    made = [[Sample(**sample) for sample in json.loads(line)] for line in lines[1:]]
    with path.open("a", encoding="utf-8") as file, tempfile.TemporaryDirectory() as logs:
        if not lines:
            print(json.dumps(one.facts), file=file, flush=True)
        for number in range(len(made), measurements):
            made.append(one.measure(number, Path(logs)))
            print(json.dumps([asdict(sample) for sample in made[-1]]), file=file, flush=True)
            print(f"{number + 1} of {measurements}", file=sys.stderr)
    return made[:measurements]


def report(one: Subject, made: Sequence[Sequence[Sample]], command: str) -> str:
    """Coverage of both kinds of interval, as Markdown."""
    every = [launches for m in made if (launches := by_launch(m, RATIOS["tok_s"])) is not None]
    estimates: dict[str, list[Estimate]] = {kind: [] for kind in KINDS}
    hits: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for index, launches in enumerate(every):
        others = [other.scores for other in (*every[:index], *every[index + 1 :])]
        truth = math.exp(statistics.mean(score for scores in others for score in scores))
        for kind, spread in (("alone", None), ("pooled", pool(others))):
            found = of_launches(launches, spread)
            estimates[kind].append(found)
            hits[kind].append(found.low is not None and found.low <= truth <= (found.high or 0))
    rates = [launches.total for launches in every]
    scores = [score for launches in every for score in launches.scores]
    half = len(rates) // 2
    drift = statistics.mean(rates[half:]) / statistics.mean(rates[:half]) - 1
    lines = [
        "| interval | measurements | hold the long-run mean | median half-width |",
        "|---|---:|---:|---:|",
    ]
    for kind in KINDS:
        width = statistics.median(relative_half_width(e) or 0.0 for e in estimates[kind])
        held = f"{sum(hits[kind])} ({statistics.mean(hits[kind]):.0%})"
        lines.append(f"| {kind} | {len(every)} | {held} | ±{width:.2%} |")
    enough = sum(hits["pooled"]) >= math.ceil(WANTED * len(every))
    facts = one.facts
    recipe = ", ".join(f"{name} {value}" for name, value in facts["recipe"].items())
    named = ", ".join(f"{name} {value}" for name, value in facts["candidate"].items())
    return (
        "# Coverage of the 95 % intervals of tok/s, measured\n\n"
        f"`{command}`\n\n"
        f"Rig: {' + '.join(facts['rig'])}, {facts['threads']} threads. Engine: {facts['build']}. "
        f"Candidate: {named}. Recipe: {recipe}.\n\n" + "\n".join(lines) + "\n\n"
        f"Wanted of `pooled`: at least {math.ceil(WANTED * len(every))}. "
        f"{'Reached' if enough else 'Not reached'}. Long-run mean "
        f"{math.exp(statistics.mean(scores)):.1f} tok/s; launches differ by "
        f"{statistics.stdev(scores):.2%} (sd), from {math.exp(min(scores)):.1f} to "
        f"{math.exp(max(scores)):.1f} tok/s; second half of the measurements against the first: "
        f"{drift:+.2%}.\n"
    )


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", help="a llama-server or its folder; unset: the embedded engine")
    parser.add_argument("--model", default="builtin:smollm2-135m-Q4_1")
    parser.add_argument("--drafter")
    parser.add_argument("--spec", default="none")
    parser.add_argument("--n-max", type=int)
    parser.add_argument("--ctx", type=int, default=1024)
    parser.add_argument("--rig", default="", help="unset: the first one found")
    parser.add_argument("--measurements", type=int, default=30)
    parser.add_argument("--prompts", type=int, default=4)
    parser.add_argument("--predict", type=int, default=64)
    parser.add_argument("--launches", type=int, default=2)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--samples", type=Path, default=Path("coverage_real.jsonl"))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.measurements < 3 or options.launches < 2:
        parser.error("at least 3 measurements of at least 2 launches")
    one = subject(options)
    made = gather(one, options.measurements, options.samples)
    shown = [Path(word).name if "/" in word else word for word in sys.argv[1:]]
    text = report(one, made, " ".join(["python -m benchmarks.coverage_real", *shown]))
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
