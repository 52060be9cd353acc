"""Matching: what is certain may exclude, what is not may only be said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from tests.workers.known_bugs.cases import DFLASH, PLAIN, case, engine
from workers.known_bugs.bug import Builds, Effect, KnownBug, Releases, Severity, Where
from workers.known_bugs.case import Case
from workers.known_bugs.conditions import every
from workers.known_bugs.load import known_bugs
from workers.known_bugs.match import Finding, findings, flags, matches

UNKNOWN = [
    "0.6.0-dev (build 0, commit unknown)",
    "0.4.1-dev (build 1, commit dfe4516)",
    "unknown version",
]

candidates = st.builds(
    lambda spec, kv, draft_kv, p_min: replace(
        PLAIN if spec == "none" else DFLASH,
        spec=spec,
        kv_k=kv[0],
        kv_v=kv[1],
        draft_kv_k=draft_kv,
        p_min=p_min,
    ),
    st.sampled_from(["none", "draft-dflash", "draft-simple", "draft-mtp", "draft-dspark"]),
    st.tuples(*[st.sampled_from(["f16", "q8_0", "q4_0", "iq4_nl", "q5_1"])] * 2),
    st.sampled_from([None, "f16", "q8_0"]),
    st.sampled_from([None, 0.0, 0.75]),
)


def bug(
    builds: Builds | None = None, releases: Releases | None = None, **changes: object
) -> KnownBug:
    plain = KnownBug(
        id="a-bug",
        title="It breaks",
        severity=Severity.EXCLUDE,
        effect=Effect.CRASH,
        dialects=("mainline",),
        builds=builds,
        releases=releases,
        where=Where(),
        source="https://example.org/1",
        advice="Do not.",
    )
    return plain.model_copy(update=changes)


def only(here: Case, known: KnownBug) -> Finding | None:
    found = findings(here, (known,))
    return found[0] if found else None


@pytest.mark.parametrize(
    ("builds", "hit", "perhaps", "clear"),
    [
        (Builds(fixed=10_068), [9_000, 10_067], [], [10_068, 11_000]),
        (Builds(first=9_235), [9_235, 11_000], [], [9_234]),
        (Builds(first=9_000, fixed=9_500), [9_000, 9_499], [], [8_999, 9_500]),
        (Builds(seen=10_587, fixed=10_661), [10_587], [10_588, 10_660], [10_661]),
        (Builds(first=10_344, seen=10_532), [10_344, 10_532], [10_533, 99_999], [10_343]),
    ],
)
def test_a_build_is_hit_perhaps_or_clear(
    builds: Builds, hit: list[int], perhaps: list[int], clear: list[int]
) -> None:
    known = bug(builds)

    assert [only(case(PLAIN, n), known) for n in hit] == [Finding(known, True)] * len(hit)
    assert [only(case(PLAIN, n), known) for n in perhaps] == [Finding(known, False)] * len(perhaps)
    assert [only(case(PLAIN, n), known) for n in clear] == [None] * len(clear)


@pytest.mark.parametrize("label", UNKNOWN)
def test_a_build_without_a_number_is_only_said(label: str) -> None:
    found = only(case(PLAIN, label), bug(Builds(fixed=10_068)))

    assert found is not None
    assert found.build_unknown
    assert not found.certain
    assert not found.excludes


@given(candidates, st.sampled_from(UNKNOWN), st.sampled_from(["mainline", "legacy", "embedded"]))
def test_a_build_without_a_number_excludes_nothing_by_its_age(
    candidate: Candidate, label: str, dialect: str
) -> None:
    found = findings(case(candidate, label, dialect=dialect))

    assert not [f.bug.id for f in found if f.excludes and f.bug.builds]


@given(candidates, st.integers(1_000, 20_000))
def test_what_excludes_is_certain_and_severe(candidate: Candidate, build: int) -> None:
    here = case(candidate, build)

    for found in findings(here):
        assert not found.excludes or found.bug.severity is Severity.EXCLUDE
        assert found.certain == (found.bug in matches(here))


def test_builds_of_another_dialect_are_none_of_its_business() -> None:
    assert only(case(PLAIN, 9_000, dialect="bee_04"), bug(Builds(fixed=10_068))) is None


def test_the_embedded_engine_is_mainline_by_its_own_numbers() -> None:
    known = bug(Builds(fixed=11_549))

    assert only(case(PLAIN, "xllamacpp 2026.9.11500", dialect="embedded"), known) is not None
    assert only(case(PLAIN, "xllamacpp 2026.10.11549", dialect="embedded"), known) is None


def test_an_engine_that_was_not_probed_is_only_suspected() -> None:
    here = replace(case(PLAIN, 9_000), engine=replace(engine(9_000), capabilities=None))

    assert only(here, bug(Builds(fixed=10_068))) == Finding(bug(Builds(fixed=10_068)), False)


def test_a_header_that_could_not_be_read_leaves_it_open() -> None:
    known = bug(where=Where(architectures=("laguna",)))

    assert only(case(PLAIN, target=None), known) == Finding(known, False)


def test_kernels_that_are_not_told_leave_it_open() -> None:
    known = bug(where=Where(kernel="missing"))

    assert only(case(PLAIN, fa_pairs=None), known) == Finding(known, False)


def test_one_condition_that_fails_settles_it_whatever_is_missing() -> None:
    known = bug(where=Where(architectures=("laguna",), spec=("draft-mtp",)))

    assert only(case(PLAIN, target=None), known) is None


@pytest.mark.parametrize(
    ("answers", "all_of_them"),
    [
        ([], True),
        ([True, True], True),
        ([True, None], None),
        ([None, False], False),
        ([False, None], False),
    ],
)
def test_one_no_is_no_and_one_gap_leaves_the_rest_open(
    answers: list[bool | None], all_of_them: bool | None
) -> None:
    assert every(answers) is all_of_them


def test_releases_are_compared_as_numbers() -> None:
    known = bug(releases=Releases(fixed="0.4.10"))

    assert only(case(PLAIN, "0.4.9"), known) == Finding(known, True)
    assert only(case(PLAIN, "0.4.10"), known) is None
    assert only(case(PLAIN, "some day"), known) == Finding(known, False, build_unknown=True)


def test_only_the_facets_that_a_bug_touches_are_flagged() -> None:
    here = case(DFLASH, 10_000, draft_kv_k="q8_0")

    assert "known_bug:draft-kv-quantised" in flags(here, Facet.THROUGHPUT)
    assert flags(here, Facet.PERPLEXITY) == ()


def test_numbers_of_texts_are_judged_by_the_build_that_made_them() -> None:
    here = case(PLAIN, "0.4.6 (build 11795)", dialect="bee_04", kv_k="turbo3")

    assert flags(replace(here, role="logits"), Facet.PERPLEXITY) == (
        "known_bug:bee-turbo-redirected",
    )


def test_the_registry_is_read_once() -> None:
    assert known_bugs() is known_bugs()
