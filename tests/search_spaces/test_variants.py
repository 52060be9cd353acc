"""Extra flags as named variants: people read names, engines get flags."""

from __future__ import annotations

import pytest

from orchestrator.analysis.words import Namer
from search_spaces.candidate import Candidate
from search_spaces.errors import SpaceError
from search_spaces.load import loads
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.variants import flags_of, name_of
from search_spaces.walk import assignments, baseline_of
from workers.contract.resolved import ResolvedCandidate

TEXT = """
name: flagged
variants: {plain: "", numa: "--numa distribute", kvu: "--kv-unified --no-repack"}
fixed: {model: small}
parameters:
  flags: [plain, numa, kvu]
  ctx: {values: [1024, 2048], when: flags != 'kvu'}
forbid: ["flags == 'numa' and ctx == 2048"]
baseline: {fix: {spec: none, flags: plain}, per: [rig, model]}
objectives: {tok_s: maximize}
"""


def made(text: str = TEXT) -> tuple[Space, list[Candidate]]:
    space = loads(text)
    return space, [candidate_of(assignment) for assignment in assignments(space)]


def test_tables_show_names_and_engines_get_flags() -> None:
    _, candidates = made()
    namer = Namer.of(candidates)
    assert [namer.name(c).split(" · ")[-1] for c in candidates] == [
        "plain",
        "plain",
        "numa",
        "numa",
        "kvu",
    ]
    assert [flags_of(c.flags) for c in candidates[::2]] == [
        "",
        "--numa distribute",
        "--kv-unified --no-repack",
    ]


def test_conditions_and_rules_take_the_name() -> None:
    space, candidates = made()
    assert [c.ctx for c in candidates] == [1024, 2048, 1024, 2048, 4096]
    assert space.forbidden[0].true({"flags": "numa", "ctx": 2048})


def test_the_baseline_may_fix_one_by_its_name() -> None:
    space, candidates = made()
    assert {name_of(baseline_of(space, c).flags or "") for c in candidates} == {"plain"}


def test_a_name_is_no_part_of_a_launch() -> None:
    """So that what is measured is found again whatever the variant is called."""
    keys = {
        ResolvedCandidate(Candidate("m", flags=flags), "e", "l", "m").key
        for flags in ("numa: --numa distribute", "other: --numa distribute", "--numa distribute")
    }
    assert len(keys) == 1
    plain = {
        ResolvedCandidate(Candidate("m", flags=flags), "e", "l", "m").key
        for flags in (None, "plain:")
    }
    assert len(plain) == 1


def test_a_space_without_variants_keeps_its_key() -> None:
    text = "name: old\nfixed: {model: m}\nparameters: {ctx: [64, 128]}\nobjectives: [tok_s]\n"
    assert loads(text).key == loads(text.replace("fixed", "variants: {}\nfixed")).key


def test_flags_as_typed_need_no_name() -> None:
    _, candidates = made(TEXT.replace("[plain, numa, kvu]", "[plain, kvu, '--numa isolate']"))
    assert flags_of(candidates[-1].flags) == "--numa isolate" == name_of(candidates[-1].flags or "")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[plain, numa, kvu]", "[plain, nume]", "unknown variant 'nume'. Did you mean 'numa'?"),
        ('"--numa distribute"', '"--numa \'distribute"', "the flags of numa cannot be read"),
        ('"--numa distribute"', '"numa distribute"', "begin with 'numa', which is no flag"),
        ('"--numa distribute"', '""', "numa and plain are the same flags"),
        ('plain: ""', '"a b": ""', "'a b' is no name"),
        ("flags: plain}", "flags: plaim}", "unknown variant 'plaim'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, said: str) -> None:
    with pytest.raises(SpaceError) as caught:
        loads(TEXT.replace(old, new))
    assert said in str(caught.value)
    assert caught.value.line is not None
