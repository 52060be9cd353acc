"""Which dialect a build speaks is asked of its help, and survives being stored."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.candidate import Candidate
from tests.support.models import engine_binary
from tests.workers.dialects.texts import EXPECTED, TEXTS, dialect, text
from workers.contract.reports import Capabilities
from workers.dialects.arguments import command_line
from workers.dialects.choose import choose, recorded
from workers.dialects.dialect import Dialect


def capabilities(of: Dialect, name: str | None = None) -> Capabilities:
    return Capabilities(
        dialect=name or of.name,
        kv_types=of.kv_types,
        draft_kv_types=of.draft_kv_types,
        spec_types=of.spec_types,
        flags=dict(of.flags) if name is None else {},
    )


def test_every_recorded_text_has_an_expectation() -> None:
    assert set(TEXTS) == set(EXPECTED)


@pytest.mark.parametrize("name", TEXTS)
def test_each_fork_is_recognised_by_what_its_help_says(name: str) -> None:
    assert dialect(name).name == EXPECTED[name]


@pytest.mark.parametrize("name", ["mainline", "bee_early", "bee_04", "ik_llama"])
def test_dflash_has_one_name_for_us(name: str) -> None:
    assert "draft-dflash" in dialect(name).kinds


def test_kinds_are_listed_under_the_builds_own_names_too() -> None:
    assert {"draft-dflash", "dflash"} <= set(dialect("bee_early").spec_types)


def test_a_build_without_a_list_of_kinds_still_drafts_with_a_drafter() -> None:
    assert dialect("legacy_2024").spec_types == ("none", "draft-simple")


def test_kv_types_of_a_fork_are_read_from_its_help() -> None:
    assert "kvarn4" in dialect("bee_04").kv_types
    assert "turbo3_tcq" in dialect("bee_early").kv_types


def test_kv_types_that_the_help_leaves_out_come_from_the_source() -> None:
    assert "q8_KV" in dialect("ik_llama").kv_types


def test_trace_logging_is_only_asked_of_builds_that_have_that_level() -> None:
    assert dialect("mainline").flags["verbosity"] == "-lv"
    assert "verbosity" not in dialect("legacy").flags


@given(st.text())
def test_a_text_that_is_no_help_has_no_dialect(garbage: str) -> None:
    assert choose(garbage) is None


def test_half_a_help_is_not_enough() -> None:
    assert choose(text("mainline")[:400]) is None


SPECS = (
    Candidate("m", ctx=1024),
    Candidate("m", ctx=1024, spec="draft-simple", n_max=3, drafter="d"),
)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("candidate", SPECS, ids=["none", "draft-simple"])
def test_a_stored_dialect_spells_like_the_probed_one(name: str, candidate: Candidate) -> None:
    probed = dialect(name)
    if "all_layers" not in probed.flags:
        pytest.skip("a build without GPU flags has no command for any machine")
    stored = recorded(capabilities(probed))
    assert command_line(candidate, "m", "d", stored) == command_line(candidate, "m", "d", probed)


def test_an_engine_without_a_command_line_is_written_as_mainline() -> None:
    stored = recorded(capabilities(dialect("mainline"), name="embedded"))
    candidate = Candidate("m", ctx=1024, spec="draft-dflash", n_max=4, drafter="d", kv_k="q8_0")
    assert command_line(candidate, "m", "d", stored) == command_line(
        candidate, "m", "d", dialect("mainline")
    )


@pytest.mark.engine
def test_the_real_binarys_help_is_mainline() -> None:
    binary = engine_binary("llama-server")
    said = subprocess.run([binary, "--help"], capture_output=True, text=True, timeout=60)
    chosen = choose(said.stdout + said.stderr)
    assert chosen is not None
    assert chosen.name == "mainline"
    assert not {"fit_off", "flash_on", "one_slot", "no_prompt_cache", "n_max"} - set(chosen.flags)
