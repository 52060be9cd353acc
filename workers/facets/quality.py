"""Quality of one candidate's code: programs are generated, run in a sandbox, and scored."""

from __future__ import annotations

from collections.abc import Sequence

from search_spaces.metrics import Facet
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import FacetResult, Sample
from workers.engines.base import EngineError
from workers.facets.generating import Generated, generate
from workers.facets.known import known_bugs_of
from workers.facets.planned import build_of
from workers.facets.setting import Setting
from workers.quality.able import able
from workers.quality.errors import SandboxError
from workers.quality.judge import judge
from workers.quality.kept import Kept
from workers.quality.sandbox.base import Sandbox
from workers.quality.sandbox.unconfined import Unconfined
from workers.statistics.scores import quality
from workers.trace import Trace

CUT = "answers_cut"
UNCONFINED = "unconfined"
ONE_REPETITION = "single_repetition"


def assess(setting: Setting, trace: Trace) -> FacetResult:
    """Measures the quality facet: every answer first, then, the engine gone, every program.

    Raises EngineError, also where this machine has no sandbox, and TaskError.
    """
    job, build = setting.job, build_of(setting, Facet.QUALITY.build_role)
    setting.check(Phase.MEASURE)
    try:
        tasks, sandbox = able(job.recipe.quality)
        made = generate(setting, trace, tasks)
        samples = tuple(_scored(setting, sandbox, generated) for generated in made)
    except SandboxError as error:
        why = Diagnosis(FailureKind.DRIVER_OR_INSTALL, error.message, error.hint, False)
        raise EngineError(why, Phase.MEASURE) from None
    flags = (*_flags(made, sandbox), *known_bugs_of(setting, trace, Facet.QUALITY))
    key = job.memo[Facet.QUALITY]
    return FacetResult(Facet.QUALITY, key, build, (quality(samples),), samples, flags)


def _scored(setting: Setting, sandbox: Sandbox, generated: Generated) -> Sample:
    setting.check(Phase.MEASURE)
    task, answer = generated.task, generated.answer
    kept = judge(task, generated.repetition, answer, sandbox, setting.log_dir)
    return Sample(
        label=task.task,
        values={
            "score": float(kept.score),
            "tokens": float(answer.tokens),
            "cut": float(answer.cut),
            "program": float(kept.program is not None),
            **_checks(kept),
        },
        repeat=generated.repetition,
        group=task.group,
    )


def _checks(kept: Kept) -> dict[str, float]:
    return {f"check_{name}": float(held) for name, held in kept.checks.items()}


def _flags(made: Sequence[Generated], sandbox: Sandbox) -> tuple[str, ...]:
    flags = {
        CUT: any(generated.answer.cut for generated in made),
        UNCONFINED: isinstance(sandbox, Unconfined),
        ONE_REPETITION: all(generated.repetition == 0 for generated in made),
    }
    return tuple(flag for flag, holds in flags.items() if holds)
