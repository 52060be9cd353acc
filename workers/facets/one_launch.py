"""One start of an engine, from waiting for the rig to the last pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from workers.contract.failure import Phase
from workers.contract.outcome import Sample
from workers.engines.base import EngineError, RunningEngine
from workers.engines.ports import owns_port
from workers.facets.deep import Depths, go_deep
from workers.facets.filling import fill
from workers.facets.passes import one_pass, request_deadline_s
from workers.facets.repetitions import Next, Progress, decide
from workers.facets.setting import Setting
from workers.facets.telemetry import open_reader, over_launches
from workers.gates.base import Scene
from workers.gates.canary import CANARY_PREDICT, CANARY_TEXT
from workers.gates.run import run_gates
from workers.gpu.holders import pids_by_card
from workers.gpu.process_tree import ProcessTree
from workers.gpu.sampler import TelemetrySampler
from workers.http.client import ServerClient
from workers.http.completion import Completion
from workers.http.draft_counts import DraftCounter
from workers.memory import compute_log
from workers.suites.load import Prompt
from workers.trace import Trace

SERIES_ROWS = 60  # of telemetry kept for each launch: enough to see a course, about 2 kB


@dataclass
class Gathered:
    """What one job gathers over its launches; `timed` when the suite itself is timed."""

    prompts: Sequence[Prompt]
    depths: Depths = field(default_factory=Depths)
    timed: bool = True
    samples: list[Sample] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    telemetry: list[dict[str, float]] = field(default_factory=list)
    same_as: str | None = None


@dataclass
class OneLaunch:
    """The `number`-th launch of a job, from 0; adds to `trace` and `gathered` as it goes."""

    setting: Setting
    trace: Trace
    gathered: Gathered
    number: int

    def __post_init__(self) -> None:
        self._recipe = self.setting.throughput
        self._limit_s = request_deadline_s(self._recipe)
        self._measured: list[tuple[Sample, Completion]] = []
        self._passes = 0

    def run(self) -> Next:
        """Launches, checks, measures; says what comes next. Raises EngineError."""
        setting, trace, gathered = self.setting, self.trace, self.gathered
        setting.check(Phase.LOAD)
        candidate, rig = setting.job.resolved.candidate, setting.rig
        before_mib = setting.level.settled_mib()
        log = setting.log_dir / f"launch-{self.number}.log"
        with setting.engine.launch(candidate, setting.assets, rig, log) as running:
            trace.launched(running.record)
            setting.check(Phase.LOAD)
            reader = open_reader(rig, running.record.pid, Phase.LOAD)
            sampler = TelemetrySampler(reader, setting.job.recipe.memory.interval_ms, before_mib)
            try:
                with sampler, ServerClient(running.base_url) as client:
                    scene = self._warm_up(running, client)
                    self._gate(scene, "launch")
                    if self._is_known():
                        return Next.STOP
                    step = self._measure(running, client, sampler)
                    if setting.job.deep and gathered.depths.error is None:
                        self._deepen(running, client, scene)
            finally:
                trace.log = running.log_text()
                trace.telemetry.update(compute_log.told(trace.log))
                trace.watched(sampler.series(SERIES_ROWS))
                gathered.telemetry.append(sampler.summary())
                trace.telemetry.update(over_launches(gathered.telemetry))
            told = gathered.telemetry[-1]
            self._gate(self._measured_scene(scene, told), "measured")
        return step

    def _warm_up(self, running: RunningEngine, client: ServerClient) -> Scene:
        """Canaries double as warm-ups: at least two, since some builds die on the second."""
        port = int(running.base_url.rsplit(":", 1)[1])
        with self.setting.watching(running, Phase.WARMUP, self._limit_s):
            before = client.metrics()
            canaries = [
                client.completion(CANARY_TEXT, CANARY_PREDICT, timeout_s=self._limit_s)
                for _ in range(self._recipe.warmups)
            ]
            return Scene(
                candidate=self.setting.job.resolved.candidate,
                model=self.setting.assets.model,
                drafter=self.setting.assets.drafter,
                rig=self.setting.rig,
                capabilities=self.setting.report.capabilities,
                props=client.props(),
                slots=client.slots(),
                log=running.log_text(),
                canaries=canaries,
                metrics_before=before,
                metrics_after=client.metrics(),
                pid_owns_port=owns_port(running.record.pid, port),
                card_pids=pids_by_card() if self.setting.rig.cards else {},
                engine_pids=ProcessTree(running.record.pid).pids(),
            )

    def _measured_scene(self, scene: Scene, told: Mapping[str, float]) -> Scene:
        """What the gates saw at launch, with what was timed since."""
        ends = self.setting.ends.known(self.setting)
        return replace(
            scene,
            log=self.trace.log,
            measured=[completion for _, completion in self._measured],
            natural_lengths=[ends.get(sample.label) for sample, _ in self._measured],
            passes=self._passes,
            telemetry=told,
        )

    def _gate(self, scene: Scene, when: str) -> None:
        """Every launch must pass: what one log says, another may not."""
        report = run_gates(scene, when)
        self.trace.gates.extend(report.verdicts)
        self.trace.effective.update(report.effective)
        self.trace.telemetry.update(report.recorded)
        self.gathered.flags.extend(report.flags)
        if report.fatal is not None:
            raise EngineError(report.fatal, Phase.GATE)

    def _is_known(self) -> bool:
        """Whether this launch, as it turned out, is one whose numbers are there already."""
        job = self.setting.job
        key = job.resolved.with_effective(self.trace.effective).key
        if key not in job.known_effective:
            return False
        self.gathered.same_as = key
        return True

    def _measure(
        self, running: RunningEngine, client: ServerClient, sampler: TelemetrySampler
    ) -> Next:
        """Passes, until the job is done or wants another launch."""
        job, gathered = self.setting.job, self.gathered
        if not gathered.timed:
            return Next.LAUNCH if self.number + 1 < self._recipe.launches else Next.STOP
        if self.number == 0 and self._recipe.fill > 0:
            with self.setting.watching(running, Phase.WARMUP, self._limit_s):
                gathered.prompts = fill(
                    client, gathered.prompts, job.resolved.candidate.ctx, self._recipe
                )
        with self.setting.watching(running, Phase.WARMUP, self._limit_s):
            self.setting.ends.ask(client, self.setting, gathered.prompts)
            counter = DraftCounter(client) if job.resolved.candidate.drafts else None
        watching = self.setting.watching(running, Phase.MEASURE, self._limit_s)
        with self.trace.measuring(), watching, sampler.busy():
            repeat, step = 0, Next.PASS
            while step is Next.PASS:
                for sample, completion in one_pass(
                    client, gathered.prompts, self._recipe, self.number, repeat, job.seed, counter
                ):
                    self.setting.check(Phase.MEASURE)
                    gathered.samples.append(sample)
                    self._measured.append((sample, completion))
                repeat = self._passes = repeat + 1
                progress = Progress(self.number + 1, repeat, self.trace.elapsed_s())
                step, flag = decide(self._recipe, job.stop, progress, gathered.samples)
                gathered.flags += [flag] if flag else []
        return step

    def _deepen(self, running: RunningEngine, client: ServerClient, scene: Scene) -> None:
        """Requests with a filled context; what fails there leaves the other facets whole."""
        depths = self.gathered.depths
        try:
            with self.trace.measuring():
                done = list(go_deep(self.setting, depths, running, client, self.number))
            self._gate(replace(scene, log=running.log_text(), deep=done), "deep")
        except EngineError as error:
            if error.diagnosis.kind.is_infrastructure:
                raise
            depths.error = error
