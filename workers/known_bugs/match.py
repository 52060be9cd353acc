"""Which known bugs a launch meets: certainly, or perhaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from search_spaces.metrics import Facet
from workers.known_bugs.bug import Builds, KnownBug, Releases, Severity
from workers.known_bugs.builds import build_number, release_of
from workers.known_bugs.case import Case
from workers.known_bugs.conditions import Answer, Test, every, tests_of
from workers.known_bugs.load import known_bugs


@dataclass(frozen=True, slots=True)
class Finding:
    """A bug that a launch meets. `certain` is False where a fact is missing to tell.

    `build_unknown`: what is missing is the build's number, and nothing else.
    """

    bug: KnownBug
    certain: bool
    build_unknown: bool = False

    @property
    def excludes(self) -> bool:
        """Only what is certain excludes anything."""
        return self.certain and self.bug.severity is Severity.EXCLUDE


@dataclass(frozen=True)
class _Suspect:
    """A bug that builds of some dialect and label may have; `told`: the label tells its age."""

    bug: KnownBug
    tests: tuple[Test, ...]
    here: Answer
    told: bool


def findings(case: Case, bugs: tuple[KnownBug, ...] | None = None) -> tuple[Finding, ...]:
    """Every bug that the launch meets or may meet, in the order of their ids."""
    found = (_ask(case, suspect) for suspect in _suspects(case.dialect, case.label, bugs))
    return tuple(finding for finding in found if finding is not None)


def matches(case: Case, bugs: tuple[KnownBug, ...] | None = None) -> tuple[KnownBug, ...]:
    """The bugs that the launch certainly meets."""
    return tuple(finding.bug for finding in findings(case, bugs) if finding.certain)


def flags(case: Case, facet: Facet) -> tuple[str, ...]:
    """The flags for numbers of this facet, measured by such a launch."""
    return tuple(bug.flag for bug in matches(case) if facet in bug.affects)


@lru_cache(maxsize=256)
def _suspects(
    dialect: str | None, label: str, bugs: tuple[KnownBug, ...] | None
) -> tuple[_Suspect, ...]:
    """What is left for a build, whatever it launches. A plan asks this for every candidate."""
    found = []
    for bug in known_bugs() if bugs is None else bugs:
        aged, told = _age(bug, label)
        named = None if dialect is None else dialect in bug.dialects
        here = every((named if bug.dialects else True, aged))
        if here is not False:
            found.append(_Suspect(bug, tests_of(bug.where), here, told or named is None))
    return tuple(found)


def _ask(case: Case, suspect: _Suspect) -> Finding | None:
    met = every(test(case) for test in suspect.tests)
    if met is False:
        return None
    certain = met is True and suspect.here is True
    return Finding(suspect.bug, certain, build_unknown=met is True and not suspect.told)


def _age(bug: KnownBug, label: str) -> tuple[Answer, bool]:
    """Whether a build is one of the affected ones, and whether its label tells its age."""
    if bug.releases is not None:
        release = release_of(label)
        return _by_release(bug.releases, release), release is not None
    if bug.builds is not None:
        number = build_number(label)
        return _by_number(bug.builds, number), number is not None
    return True, True


def _by_number(builds: Builds, number: int | None) -> Answer:
    if number is None:
        return None
    if builds.first is not None and number < builds.first:
        return False
    if builds.fixed is not None and number >= builds.fixed:
        return False
    # Later than anybody looked: it may be gone.
    return None if builds.seen is not None and number > builds.seen else True


def _by_release(releases: Releases, release: tuple[int, ...] | None) -> Answer:
    return None if release is None or releases.release is None else release < releases.release
