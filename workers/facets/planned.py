"""Whether a job's engine and files are still the ones it was planned with.

Builds and models are replaced while sweeps run (`git pull && make`, a download that is written
anew). Numbers would then be filed under the hash of something else.
"""

from __future__ import annotations

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.reports import Build
from workers.engines.base import EngineError
from workers.facets.setting import Setting
from workers.models.hashing import content_hash

_ROLES = {"server": "a server", "logits": "a program that scores texts"}


def check_planned(setting: Setting) -> None:
    """Raises EngineError where something is not what the plan saw, or cannot be used here."""
    job, report = setting.job, setting.report
    if report.problem is not None:
        raise EngineError(
            Diagnosis(
                FailureKind.DRIVER_OR_INSTALL,
                f"engine {report.name!r} cannot be used: {report.problem}",
                "`orchestrate engines` probes it and says what is wrong.",
                deterministic=True,
            ),
            Phase.RESOLVE,
        )
    planned = {"server": job.resolved.engine, "logits": job.resolved.logits}
    for role in sorted({facet.build_role for facet in job.facets}):
        build = build_of(setting, role)
        if build.sha256 != planned[role]:
            raise _replaced(f"engine {report.name!r} ({build.path})")
    assets, candidate = setting.assets, job.resolved.candidate
    if content_hash(assets.model) != job.resolved.model:
        raise _replaced(f"model {candidate.model}")
    if assets.drafter is not None and content_hash(assets.drafter) != job.resolved.drafter:
        raise _replaced(f"drafter {candidate.drafter}")


def build_of(setting: Setting, role: str) -> Build:
    """The engine's build in a role. Raises EngineError where it has none."""
    build = setting.report.build(role)
    if build is None:
        raise EngineError(
            Diagnosis(
                FailureKind.CAPABILITY_MISSING,
                f"engine {setting.report.name!r} has no build that is {_ROLES[role]}",
                "Use an engine that has one, or leave this measurement out of the recipe.",
                deterministic=True,
            ),
            Phase.RESOLVE,
        )
    return build


def _replaced(what: str) -> EngineError:
    # The machinery's fault, not the candidate's: nothing may be learnt from it.
    diagnosis = Diagnosis(
        FailureKind.WORKER_LOST,
        f"{what} was replaced since the sweep was planned",
        "Run the same command again: what is new is measured under its own hash.",
        deterministic=False,
    )
    return EngineError(diagnosis, Phase.RESOLVE)
