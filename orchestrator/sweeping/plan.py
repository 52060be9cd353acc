"""The plan: what would run on each rig, what is out and why, and about how long it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from orchestrator.sweeping.fleet import differing
from orchestrator.sweeping.judge import Judge
from orchestrator.sweeping.rules.base import Excluded, Ground
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, assignments
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest

MAX_PLANNED = 200_000  # beyond this a space is searched without being listed
SAME_LAUNCH = Excluded(
    "same_launch", "another candidate is the same launch (equal files, or a draft length clamped)"
)


@dataclass(frozen=True)
class RigPlan:
    """One rig's share: feasible assignments, exclusions by reason, distinct text measurements.

    `host` is what the rig's host reported: engines and files differ from host to host.
    `warnings` says what to know of some feasible candidates, and of how many.
    """

    rig: RigReport
    host: HostReport
    feasible: tuple[Assignment, ...]
    baselines: tuple[Assignment, ...]
    out: Mapping[Excluded, int] = field(default_factory=dict)
    truncated: bool = False
    warnings: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Candidates looked at."""
        return len(self.feasible) + sum(self.out.values())


@dataclass(frozen=True)
class Plan:
    """The plan of a sweep over every rig of its hosts."""

    space: Space
    hosts: tuple[HostReport, ...]
    rigs: tuple[RigPlan, ...]

    @property
    def feasible(self) -> int:
        """Feasible candidates over all rigs."""
        return sum(len(rig.feasible) for rig in self.rigs)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know before anything is measured, each sentence once."""
        said = [warning for host in self.hosts for warning in host.warnings]
        if len(self.hosts) > 1:
            said += differing(self.hosts)
            said += [idle for rig in self.rigs if (idle := _why_idle(rig))]
        return tuple(dict.fromkeys(said))


def _why_idle(rig: RigPlan) -> str | None:
    """Why nothing can run on a rig of a fleet, whose other rigs go on; None where something can."""
    if rig.feasible or not rig.out:
        return None
    why = max(rig.out, key=lambda reason: rig.out[reason])
    return f"Nothing can run on rig {rig.rig.name}: {why.reason.rstrip('.')}."


def survey_request(space: Space) -> SurveyRequest:
    """What a host must report before this space can be planned."""
    models, drafters = _domain(space, "model"), _domain(space, "drafter")
    facets, how = space.facets, space.measure
    corpora = []
    if Facet.PERPLEXITY in facets:
        corpora.append(how.perplexity.corpus)
    if Facet.DIVERGENCE in facets:
        corpora.append(how.divergence.corpus)
    used = _domain(space, "engine") or ("embedded",)
    return SurveyRequest(
        engines={name: space.engines[name] for name in used if name in space.engines},
        models=tuple(dict.fromkeys((*models, *drafters))),
        pairs=tuple((model, drafter) for model in models for drafter in drafters),
        suites=(how.throughput.suite,),
        corpora=tuple(dict.fromkeys(corpora)),
        quality=how.quality if Facet.QUALITY in facets else None,
    )


def _domain(space: Space, name: str) -> tuple[str, ...]:
    values: list[object] = []
    if name in space.fixed:
        values.append(space.fixed[name])
    elif name in space.parameters:
        values.extend(space.parameters[name])
    if name in space.baseline.fix:
        values.append(space.baseline.fix[name])
    return tuple(dict.fromkeys(str(value) for value in values))


def make_plan(space: Space, host: HostReport, rigs: Sequence[RigReport]) -> Plan:
    """Looks at every candidate once per rig of one host. Runs nothing."""
    return Plan(space, (host,), tuple(_plan_rig(space, host, rig) for rig in rigs))


def make_fleet_plan(space: Space, hosts: Sequence[HostReport]) -> Plan:
    """The same over every rig of several hosts."""
    rigs = (_plan_rig(space, host, rig) for host in hosts for rig in host.rigs)
    return Plan(space, tuple(hosts), tuple(rigs))


def _plan_rig(space: Space, host: HostReport, rig: RigReport) -> RigPlan:
    judge = Judge(Ground(space, rig, host))
    feasible: list[Assignment] = []
    baselines: dict[Candidate, Assignment] = {}
    out: Counter[Excluded] = Counter()
    warnings: Counter[str] = Counter()
    seen, launches = set[Candidate](), set[Hashable]()
    listed = 0
    for assignment in islice(assignments(space), MAX_PLANNED):
        listed += 1
        candidate = candidate_of(assignment)
        if candidate in seen:
            continue
        seen.add(candidate)
        why = judge.why_not(assignment, candidate)
        if why is None:
            launch = judge.launch(candidate)
            why = SAME_LAUNCH if launch in launches else None
            launches.add(launch)
        if why is not None:
            out[why] += 1
            continue
        feasible.append(assignment)
        for warning in judge.warnings(candidate):
            warnings[warning] += 1
        baselines.setdefault(*judge.baseline(candidate))
    return RigPlan(
        rig=rig,
        host=host,
        feasible=tuple(feasible),
        baselines=tuple(base for key, base in baselines.items() if judge.excluded(key) is None),
        out=dict(out),
        truncated=listed == MAX_PLANNED,
        warnings=dict(warnings),
    )


def why_not(ground: Ground, assignment: Assignment, candidate: Candidate) -> Excluded | None:
    """Why a candidate is out on this rig, None when it is in."""
    return Judge(ground).why_not(assignment, candidate)
