"""Every bug of the registry: a launch that meets it, and the nearest ones that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.known_bugs.cases import CPU, DFLASH, DRAFTER_2, HYBRID, LLAMA, PAIR, PLAIN, case
from workers.dialects.choose import TABLES
from workers.dialects.mainline import MAINLINE
from workers.known_bugs.bug import KnownBug
from workers.known_bugs.case import Case
from workers.known_bugs.load import known_bugs
from workers.known_bugs.match import findings, matches

SIMPLE = replace(DFLASH, spec="draft-simple")
MTP = replace(PLAIN, spec="draft-mtp", n_max=3)
DSPARK = replace(DFLASH, spec="draft-dspark")
LAGUNA = replace(LLAMA, architecture="laguna")
WINDOWED = replace(LLAMA, layers=replace(LLAMA.layers, swa=(1,)))
NONE: tuple[str, ...] = ()

# The bug; a launch that certainly meets it; launches that certainly do not.
CASES: dict[str, tuple[Case, list[Case]]] = {
    "draft-kv-quantised": (
        case(DFLASH, 10_067, draft_kv_k="q8_0"),
        [
            case(DFLASH, 10_068, draft_kv_k="q8_0"),
            case(DFLASH, 10_067, draft_kv_k="f16", draft_kv_v="bf16"),
            case(DFLASH, 10_067),
            case(SIMPLE, 10_067, draft_kv_k="q8_0"),
            case(PLAIN, 10_067, draft_kv_k="q8_0"),
        ],
    ),
    "acceptance-counts-replays": (
        case(SIMPLE, 10_209, target=HYBRID),
        [
            case(SIMPLE, 10_210, target=HYBRID),
            case(SIMPLE, 10_209, target=LLAMA),
            case(PLAIN, 10_209, target=HYBRID),
        ],
    ),
    "fa-pair-on-cpu": (
        case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE),
        [
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=("all",)),
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=("q8_0-q4_0",)),
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q8_0", fa_pairs=NONE),
            case(PLAIN, 11_312, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE),
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE, rig=CPU),
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE, dialect="ik_llama"),
        ],
    ),
    "fa-pair-converted": (
        case(PLAIN, 11_312, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE),
        [
            case(PLAIN, 10_819, kv_k="q8_0", kv_v="q4_0", fa_pairs=NONE),
            case(PLAIN, 11_312, fa_pairs=NONE),
        ],
    ),
    "fa-iq4-nl-on-cpu": (
        case(PLAIN, 11_312, kv_v="iq4_nl"),
        [case(PLAIN, 11_312, kv_v="q4_0"), case(PLAIN, 11_312, kv_v="iq4_nl", rig=CPU)],
    ),
    "dflash2-unknown": (
        case(DFLASH, 10_587, drafter=DRAFTER_2),
        [
            case(DFLASH, 10_661, drafter=DRAFTER_2),
            case(DFLASH, 10_587),
            case(MTP, 10_587, drafter=DRAFTER_2),
        ],
    ),
    "dflash2-split-mode-tensor": (
        case(DFLASH, 11_030, drafter=DRAFTER_2, split_mode="tensor", rig=PAIR),
        [
            case(DFLASH, 11_030, drafter=DRAFTER_2, split_mode="layer", rig=PAIR),
            case(DFLASH, 11_030, drafter=DRAFTER_2, split_mode="tensor"),
            case(DFLASH, 11_030, split_mode="tensor", rig=PAIR),
            case(MTP, 11_030, split_mode="tensor", rig=PAIR),
        ],
    ),
    "dspark-split-mode-tensor": (
        case(DSPARK, 10_661, split_mode="tensor", rig=PAIR),
        [case(DSPARK, 10_661, rig=PAIR), case(DFLASH, 10_661, split_mode="tensor", rig=PAIR)],
    ),
    "draft-device-apart": (
        case(DFLASH, 11_312, draft_device="CUDA0", rig=PAIR),
        [case(DFLASH, 11_312, draft_device="CUDA0"), case(DFLASH, 11_312, rig=PAIR)],
    ),
    "draft-flag-alone": (
        case(SIMPLE, 9_464, dialect="legacy"),
        [case(SIMPLE, 9_463, dialect="legacy"), case(SIMPLE, 9_464)],
    ),
    "mtp-acceptance-fell": (
        case(MTP, 10_344),
        [case(MTP, 10_261), case(DFLASH, 10_344), case(MTP, 10_344, rig=CPU)],
    ),
    "draft-simple-never-stops": (
        case(SIMPLE, 9_235),
        [case(SIMPLE, 9_235, p_min=0.75), case(SIMPLE, 9_222), case(DFLASH, 9_235)],
    ),
    "dflash-p-min-ignored": (
        case(DFLASH, 9_866, p_min=0.5),
        [case(DFLASH, 9_867, p_min=0.5), case(DFLASH, 9_866, p_min=0.0), case(DFLASH, 9_866)],
    ),
    "laguna-dflash": (
        case(DFLASH, 10_665, target=LAGUNA),
        [case(DFLASH, 10_665), case(PLAIN, 10_665, target=LAGUNA)],
    ),
    "bee-turbo-redirected": (
        case(PLAIN, kv_k="turbo4", dialect="bee_04"),
        [
            case(PLAIN, kv_k="kvarn4", dialect="bee_04"),
            case(PLAIN, kv_k="turbo4", dialect="bee_early"),
        ],
    ),
    "bee-dflash2-unknown": (
        case(DFLASH, "0.4.3 (build 11200, commit 0c1e57098)", dialect="bee_04", drafter=DRAFTER_2),
        [
            case(DFLASH, "0.4.4 (build 11300)", dialect="bee_04", drafter=DRAFTER_2),
            case(DFLASH, "0.10.0 (build 13300)", dialect="bee_04", drafter=DRAFTER_2),
            case(DFLASH, "0.4.3 (build 11200)", dialect="bee_04"),
        ],
    ),
    "bee-dflash-whole-context": (
        case(DFLASH, dialect="bee_04"),
        [case(PLAIN, dialect="bee_04"), case(DFLASH)],
    ),
}


def ids(here: Case) -> set[str]:
    return {bug.id for bug in matches(here)}


def test_every_bug_has_its_cases() -> None:
    assert set(CASES) == {bug.id for bug in known_bugs()}


@pytest.mark.parametrize("bug", CASES)
def test_a_launch_that_meets_it_is_found(bug: str) -> None:
    assert bug in ids(CASES[bug][0])


@pytest.mark.parametrize(
    ("bug", "number"), [(b, i) for b in CASES for i in range(len(CASES[b][1]))]
)
def test_a_launch_that_is_nearly_one_is_not(bug: str, number: int) -> None:
    assert bug not in {finding.bug.id for finding in findings(CASES[bug][1][number])}


def test_the_replay_of_drafts_is_met_by_sliding_windows_too() -> None:
    assert "acceptance-counts-replays" in ids(case(DFLASH, 10_209, target=WINDOWED))


@pytest.mark.parametrize("build", ["xllamacpp 2026.10.11549", 11_434])
def test_the_demo_meets_no_bug_on_a_present_build(build: int | str) -> None:
    dialect = "embedded" if isinstance(build, str) else "mainline"

    for candidate in (PLAIN, replace(DFLASH, kv_k="q8_0", kv_v="q5_1")):
        assert findings(case(candidate, build, dialect=dialect, rig=CPU)) == ()


def test_dialects_are_those_that_there_are() -> None:
    named = {dialect for bug in known_bugs() for dialect in bug.dialects}

    assert named <= {table.name for table in TABLES}


def test_build_numbers_are_mainlines() -> None:
    for bug in known_bugs():
        if bug.builds is not None:
            assert set(bug.dialects) <= {MAINLINE.name, "legacy"}, bug.id


@pytest.mark.parametrize("bug", known_bugs(), ids=lambda bug: bug.id)
def test_a_sentence_says_what_goes_wrong_what_to_do_and_who_says_so(bug: KnownBug) -> None:
    assert bug.title[0].isupper()
    assert not bug.title.endswith(".")
    assert bug.advice.endswith(".")
    assert bug.sentence == f"{bug.title}. {bug.advice} See {bug.source}"
    assert bug.affects
