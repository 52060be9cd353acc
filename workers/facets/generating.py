"""Programs from a running engine: one launch without speculation, every task, every repetition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from search_spaces.candidate import NO_SPEC, Candidate
from search_spaces.recipe import QualityRecipe
from workers.contract.failure import Phase
from workers.engines.base import EngineError, RunningEngine
from workers.engines.ports import owns_port
from workers.facets.passes import REQUEST_FLOOR_S, SLOWEST_TOK_S
from workers.facets.setting import Setting
from workers.gates.base import Scene
from workers.gates.canary import CANARY_PREDICT, CANARY_TEXT
from workers.gates.run import run_gates
from workers.http.chat import Answer, Sampling
from workers.http.client import ServerClient
from workers.quality.task import Task
from workers.trace import Trace

_CANARIES = 2
_TYPES = ("kv_k", "kv_v")


@dataclass(frozen=True, slots=True)
class Generated:
    """What the model answered to a task, the `repetition`-th time (from 0)."""

    task: Task
    repetition: int
    answer: Answer


def generate(setting: Setting, trace: Trace, tasks: Sequence[Task]) -> list[Generated]:
    """Every answer; the engine is gone when this returns. Raises EngineError."""
    recipe = setting.job.recipe.quality
    limit_s = REQUEST_FLOOR_S + recipe.predict / SLOWEST_TOK_S
    made: list[Generated] = []
    with (
        _launched(setting, trace, recipe) as (running, client),
        setting.watching(running, Phase.MEASURE, limit_s),
        trace.measuring(),
    ):
        for repetition in range(recipe.repetitions):
            sampling = Sampling(recipe.temperature, recipe.top_p, recipe.seed + repetition)
            for task in tasks:
                setting.check(Phase.MEASURE)
                answer = client.chat(task.prompt, recipe.predict, sampling, limit_s)
                made.append(Generated(task, repetition, answer))
    return made


def alone(candidate: Candidate, recipe: QualityRecipe) -> Candidate:
    """What is launched: see `memo_key` for why nothing is drafted."""
    plain = replace(candidate, spec=NO_SPEC).canonical()
    return replace(plain, ctx=recipe.window(candidate.ctx))


@contextmanager
def _launched(
    setting: Setting, trace: Trace, recipe: QualityRecipe
) -> Iterator[tuple[RunningEngine, ServerClient]]:
    """A server that has passed the gates of a launch."""
    setting.check(Phase.LOAD)
    candidate = alone(setting.job.resolved.candidate, recipe)
    setting.level.settled_mib()
    log, assets = setting.log_dir / "quality.log", replace(setting.assets, drafter=None)
    with setting.engine.launch(candidate, assets, setting.rig, log) as running:
        trace.launched(running.record)
        try:
            with ServerClient(running.base_url) as client:
                _gate(_scene(setting, candidate, running, client), trace)
                yield running, client
        finally:
            trace.log = running.log_text()


def _scene(
    setting: Setting, candidate: Candidate, running: RunningEngine, client: ServerClient
) -> Scene:
    port = int(running.base_url.rsplit(":", 1)[1])
    with setting.watching(running, Phase.WARMUP, REQUEST_FLOOR_S):
        return Scene(
            candidate=candidate,
            model=setting.assets.model,
            drafter=None,
            rig=setting.rig,
            capabilities=setting.report.capabilities,
            props=client.props(),
            slots=client.slots(),
            canaries=[
                client.completion(CANARY_TEXT, CANARY_PREDICT, timeout_s=REQUEST_FLOOR_S)
                for _ in range(_CANARIES)
            ],
            log=running.log_text(),
            pid_owns_port=owns_port(running.record.pid, port),
        )


def _gate(scene: Scene, trace: Trace) -> None:
    report = run_gates(scene, "launch")
    trace.gates.extend(report.verdicts)
    # Of what else is different here (no draft, a smaller context) the candidate is not to blame.
    told = {name: value for name, value in report.effective.items() if name in _TYPES}
    trace.effective.update(told)
    if report.fatal is not None:
        raise EngineError(report.fatal, Phase.GATE)
