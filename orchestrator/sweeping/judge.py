"""What a plan asks of every candidate, asked once for each thing that the answer depends on.

A space of 100,000 candidates has far fewer distinct launches as far as any one rule sees: threads
and the like change no verdict, and a KV type is known or not whatever the context is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from operator import attrgetter
from typing import TypeVar

from orchestrator.sweeping.derived import refers_to_baseline
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Excluded, Ground
from orchestrator.sweeping.rules.known_bugs import no_known_bug, warnings_of
from orchestrator.sweeping.rules.registry import READS, RULES
from search_spaces.candidate import CANDIDATE_FIELDS, Candidate
from search_spaces.parameters import PAIRS, candidate_of
from search_spaces.walk import Assignment, baseline_assignment, is_forbidden

Answer = TypeVar("Answer")
_EVERY_READ = attrgetter(*sorted({name for names in READS.values() for name in names}))
_OF_BUGS = attrgetter(*READS[no_known_bug])
_RULES = tuple((rule, attrgetter(*READS[rule])) for rule in RULES)
_RESOLVED = ("engine", "model", "drafter", "n_max")  # names and a length that a host resolves
_AS_ASKED = attrgetter(*(name for name in CANDIDATE_FIELDS if name not in _RESOLVED))


class Judge:
    """Verdicts on one rig. For as long as nothing is learnt: a launch may change what fits."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._resolver = Resolver(ground.space, ground.rig, ground.host)
        self._refers = refers_to_baseline(ground.space)
        space, per = ground.space, ground.space.baseline.per
        varied = [part for name in per for part in PAIRS.get(name, (name,))]
        names = [name for name in varied if name in CANDIDATE_FIELDS]
        self._varied = tuple(names)
        self._forbids = bool(space.forbidden)
        self._known: dict[Hashable, object] = {}

    def why_not(self, assignment: Assignment, candidate: Candidate) -> Excluded | None:
        """Why a candidate is out on this rig, None when it is in."""
        if self._forbids:
            rule = is_forbidden(self._ground.space, assignment)
            if rule:
                return Excluded("forbid", f"the space forbids {rule}")
        why = self.excluded(candidate)
        if why is None and self._refers:
            base = self.excluded(self.baseline(candidate)[0])
            if base is not None:
                reason = f"its baseline cannot run here, and goals refer to it: {base.reason}"
                why = Excluded("baseline", reason)
        return why

    def excluded(self, candidate: Candidate) -> Excluded | None:
        """The first rule that excludes the candidate."""
        return self._once(("out", _EVERY_READ(candidate)), partial(self._by_rules, candidate))

    def warnings(self, candidate: Candidate) -> tuple[str, ...]:
        """What to know of a candidate that is in."""
        key = ("warnings", _OF_BUGS(candidate))
        return self._once(key, partial(warnings_of, self._ground, candidate))

    def baseline(self, candidate: Candidate) -> tuple[Candidate, Assignment]:
        """What it is compared with: one for each combination of what baselines vary with."""
        values = tuple(getattr(candidate, name) for name in self._varied)
        return self._once(("baseline", values), partial(self._baseline, candidate))

    def launch(self, candidate: Candidate) -> Hashable:
        """Equal for candidates that are one launch here; only for those that are not out."""
        names = (candidate.engine, candidate.model, candidate.drafter, candidate.n_max)
        files, n_max = self._once(("files", names), partial(self._files, candidate))
        return files, n_max, _AS_ASKED(self._ground.rig.placed(candidate))

    def _baseline(self, candidate: Candidate) -> tuple[Candidate, Assignment]:
        base = baseline_assignment(self._ground.space, candidate)
        return candidate_of(base), base

    def _files(self, candidate: Candidate) -> tuple[Hashable, int | None]:
        found = self._resolver.resolve(candidate)
        return (found.engine, found.model, found.drafter), found.candidate.n_max

    def _by_rules(self, candidate: Candidate) -> Excluded | None:
        for rule, read in _RULES:
            reason = self._once((rule, read(candidate)), partial(rule, self._ground, candidate))
            if reason:
                return Excluded(rule.__name__, reason)
        return None

    def _once(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        try:
            return self._known[key]  # type: ignore[return-value]
        except KeyError:
            found = self._known[key] = make()
            return found
