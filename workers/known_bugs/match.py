"""Which known bugs a launch meets: certainly, or perhaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_spaces.metrics import Facet
from workers.known_bugs.bug import Builds, KnownBug, Releases, Severity
from workers.known_bugs.builds import build_number, release_of
from workers.known_bugs.case import Case
from workers.known_bugs.conditions import Answer, every, meets
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


def findings(case: Case, bugs: Sequence[KnownBug] | None = None) -> tuple[Finding, ...]:
    """Every bug that the launch meets or may meet, in the order of their ids."""
    return tuple(_findings(case, known_bugs() if bugs is None else bugs))


def matches(case: Case, bugs: Sequence[KnownBug] | None = None) -> tuple[KnownBug, ...]:
    """The bugs that the launch certainly meets."""
    return tuple(finding.bug for finding in findings(case, bugs) if finding.certain)


def flags(case: Case, facet: Facet) -> tuple[str, ...]:
    """The flags for numbers of this facet, measured by such a launch."""
    return tuple(bug.flag for bug in matches(case) if facet in bug.affects)


def _findings(case: Case, bugs: Sequence[KnownBug]) -> Iterator[Finding]:
    dialect = case.dialect
    for bug in bugs:
        if bug.dialects and dialect is not None and dialect not in bug.dialects:
            continue
        here = meets(bug.where, case)
        if here is False:
            continue
        known = None if bug.dialects and dialect is None else True
        aged, told = _age(bug, case.label)
        answer = every((here, known, aged))
        if answer is not False:
            only_the_build = every((here, known)) is True and not told
            yield Finding(bug, answer is True, only_the_build)


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
