"""Throughput and memory of one candidate: launches, gates, passes, until enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search_spaces.metrics import Facet
from workers.contract.failure import Phase
from workers.contract.outcome import FacetResult, Sample
from workers.engines.base import EngineError, RunningEngine
from workers.engines.ports import owns_port
from workers.facets import estimates
from workers.facets.passes import one_pass, request_deadline_s
from workers.facets.repetitions import Next, Progress, decide, rate_of
from workers.facets.setting import Setting, watching
from workers.facets.telemetry import over_launches, settled_level
from workers.gates.base import Scene
from workers.gates.run import run_gates
from workers.gpu.sampler import TelemetrySampler, reader_for
from workers.http.client import ServerClient
from workers.http.completion import Completion
from workers.statistics.flags import throughput_flags
from workers.suites.load import Prompt, load_suite
from workers.trace import Trace

# Repetitive on purpose: whatever drafts at all drafts on this.
CANARY = "one two three four five six seven eight " * 12
CANARY_TOKENS = 24


@dataclass
class _Run:
    """What one job gathers over its launches."""

    samples: list[Sample] = field(default_factory=list)
    completions: list[Completion] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    telemetry: list[dict[str, float]] = field(default_factory=list)
    level_mib: float | None = None
    same_as: str | None = None


@dataclass(frozen=True)
class Served:
    """The facets measured, or the key of the known launch that this one turned out to be."""

    results: tuple[FacetResult, ...]
    same_as: str | None = None


def serve(setting: Setting, trace: Trace) -> Served:
    """Measures the rig's facets of a job. Raises EngineError; `trace` keeps what was seen."""
    recipe = setting.job.recipe.throughput
    suite = load_suite(recipe.suite)
    prompts = suite.prompts[: recipe.prompts]
    run = _Run()
    launch, step = 0, Next.LAUNCH
    while step is Next.LAUNCH:
        step = _one_launch(setting, trace, run, prompts, launch)
        launch += 1
    if run.same_as is not None:
        return Served((), run.same_as)
    return Served(tuple(_results(setting, trace, run)))


def _one_launch(
    setting: Setting, trace: Trace, run: _Run, prompts: Sequence[Prompt], launch: int
) -> Next:
    job, recipe = setting.job, setting.job.recipe.throughput
    setting.check(Phase.LOAD)
    log = setting.log_dir / f"launch-{launch}.log"
    candidate = job.resolved.candidate
    run.level_mib = settled_level(setting.rig, run.level_mib)
    with setting.engine.launch(candidate, setting.assets, setting.rig, log) as running:
        setting.launched(running)
        trace.launched(running.record)
        reader = reader_for(setting.rig, running.record.pid)
        sampler = TelemetrySampler(reader, job.recipe.memory.interval_ms, run.level_mib)
        try:
            with sampler, ServerClient(running.base_url) as client:
                limit_s = request_deadline_s(recipe)
                with watching(running, Phase.WARMUP, limit_s):
                    scene = _warm_up(setting, running, client)
                _gate(scene, "launch", trace, run)
                resolved = job.resolved.with_effective(trace.effective)
                if resolved.key in job.known_effective:
                    run.same_as = resolved.key
                    return Next.STOP
                with trace.measuring(), watching(running, Phase.MEASURE, limit_s), sampler.busy():
                    step = _passes(setting, trace, run, client, prompts, launch)
            run.telemetry.append(sampler.summary())
            trace.telemetry.update(over_launches(run.telemetry, run.samples))
            if step is Next.STOP:
                _gate(_after(scene, running, run, trace), "measured", trace, run)
        finally:
            trace.log = running.log_text()
    return step


def _warm_up(setting: Setting, running: RunningEngine, client: ServerClient) -> Scene:
    """Canaries double as warm-ups: at least two, since some builds die on the second."""
    recipe = setting.job.recipe.throughput
    port = int(running.base_url.rsplit(":", 1)[1])
    before = client.metrics()
    canaries = [
        client.completion(CANARY, CANARY_TOKENS, timeout_s=request_deadline_s(recipe))
        for _ in range(recipe.warmups)
    ]
    return Scene(
        candidate=setting.job.resolved.candidate,
        model=setting.assets.model,
        drafter=setting.assets.drafter,
        rig=setting.rig,
        capabilities=setting.capabilities,
        props=client.props(),
        slots=client.slots(),
        log=running.log_text(),
        canaries=canaries,
        metrics_before=before,
        metrics_after=client.metrics(),
        pid_owns_port=owns_port(running.record.pid, port),
    )


def _after(scene: Scene, running: RunningEngine, run: _Run, trace: Trace) -> Scene:
    return replace(
        scene, log=running.log_text(), measured=run.completions, telemetry=dict(trace.telemetry)
    )


def _gate(scene: Scene, when: str, trace: Trace, run: _Run) -> None:
    report = run_gates(scene, when)
    trace.gates.extend(report.verdicts)
    trace.effective.update(report.effective)
    trace.telemetry.update(report.recorded)
    run.flags.extend(flag for flag in report.flags if flag not in run.flags)
    if report.fatal is not None:
        raise EngineError(report.fatal, Phase.GATE)


def _passes(
    setting: Setting,
    trace: Trace,
    run: _Run,
    client: ServerClient,
    prompts: Sequence[Prompt],
    launch: int,
) -> Next:
    job = setting.job
    repeat = 0
    while True:
        for sample, completion in one_pass(
            client, prompts, job.recipe.throughput, launch, repeat, job.seed
        ):
            setting.check(Phase.MEASURE)
            run.samples.append(sample)
            run.completions.append(completion)
        repeat += 1
        progress = Progress(launch + 1, repeat, trace.elapsed_s())
        step, flag = decide(job.recipe.throughput, job.stop, progress, run.samples)
        if flag:
            run.flags.append(flag)
        if step is not Next.PASS:
            return step


def _results(setting: Setting, trace: Trace, run: _Run) -> list[FacetResult]:
    job = setting.job
    build = setting.engine.probe().build("server")
    assert build is not None, "an engine that served has a server build"
    tok_s = rate_of(job.stop, run.samples)
    measured = throughput_flags(run.samples, tok_s, job.stop.precision)
    flags = tuple(dict.fromkeys((*run.flags, *measured)))
    made = {
        Facet.THROUGHPUT: estimates.throughput(run.samples, job.stop, trace.telemetry),
        Facet.MEMORY: estimates.memory(trace.telemetry),
    }
    return [
        FacetResult(
            facet,
            job.memo[facet],
            build,
            made[facet],
            tuple(run.samples) if facet is Facet.THROUGHPUT else (),
            flags if facet is Facet.THROUGHPUT else (),
        )
        for facet in job.facets
        if facet in made
    ]
