"""A claim: one process to a rig, and nobody to the rig of a process that died."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.outcomes import make_job
from tests.workers.facets.bench import CARD, CPU, GPU
from workers.claim import Claim
from workers.contract.errors import OrchestrateError
from workers.contract.failure import FailureKind
from workers.contract.outcome import Failed
from workers.contract.reports import RigReport
from workers.models.cache import CACHE_VARIABLE
from workers.rig_worker import RigWorker

OTHER_CARD = replace(CARD, index=1, uuid="GPU-1")
PAIR = replace(GPU, name="pair", cards=(CARD, OTHER_CARD))
OTHER = replace(GPU, name="other", cards=(OTHER_CARD,))

HOLDER = """
import sys
from tests.workers.facets.bench import {rig}
from workers.claim import Claim
claim = Claim({rig})
print(claim.take(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def hold() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Starts another process that takes a rig of `bench` and keeps it until its stdin ends."""
    started: list[subprocess.Popen[str]] = []

    def holder(rig: str) -> subprocess.Popen[str]:
        root = str(Path(__file__).parents[2])
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER.format(rig=rig)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": root},
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "None\n"
        return process

    yield holder
    for process in started:
        process.kill()
        process.communicate()


def taken(rig: RigReport) -> Claim:
    claim = Claim(rig)
    assert claim.take() is None
    return claim


def test_a_rig_that_another_process_holds_is_not_given(
    hold: Callable[[str], subprocess.Popen[str]],
) -> None:
    holder = hold("CPU")

    problem = Claim(CPU).take()

    assert problem is not None
    assert problem.startswith("Rig cpu is in use by another sweep")
    assert f"(process {holder.pid})" in problem


def test_a_rig_is_free_when_its_holder_gives_it_back_by_ending(
    hold: Callable[[str], subprocess.Popen[str]],
) -> None:
    hold("CPU").communicate("")

    assert Claim(CPU).take() is None


@pytest.mark.chaos
def test_a_rig_is_free_when_its_holder_was_killed(
    hold: Callable[[str], subprocess.Popen[str]],
) -> None:
    holder = hold("CPU")
    holder.kill()
    holder.wait()

    assert Claim(CPU).take() is None


def test_two_claims_of_one_process_exclude_each_other_too() -> None:
    first = taken(CPU)

    assert Claim(CPU).take() is not None
    first.give_back()
    assert Claim(CPU).take() is None


def test_rigs_without_a_card_in_common_do_not_meet() -> None:
    claims = [taken(CPU), taken(GPU), taken(OTHER)]

    assert len(claims) == 3


def test_a_pair_and_one_of_its_cards_exclude_each_other() -> None:
    pair = taken(PAIR)

    assert Claim(GPU).take() is not None
    assert Claim(OTHER).take() is not None
    pair.give_back()
    half = taken(OTHER)
    assert Claim(PAIR).take() is not None
    half.give_back()


def test_a_pair_that_is_half_taken_leaves_its_other_half_free() -> None:
    holder = taken(OTHER)

    assert Claim(PAIR).take() is not None
    assert Claim(GPU).take() is None
    holder.give_back()


def test_giving_back_twice_is_harmless() -> None:
    claim = taken(CPU)
    claim.give_back()
    claim.give_back()

    assert Claim(CPU).take() is None


def test_a_holder_that_left_no_readable_note_is_another_sweep_all_the_same(cache: Path) -> None:
    claim = taken(CPU)
    (note,) = (cache / "claims").glob("*.json")
    assert json.loads(note.read_text()) == {"pid": os.getpid()}
    note.write_text("[")

    problem = Claim(CPU).take()

    assert problem is not None
    assert "process" not in problem
    claim.give_back()


def test_a_cache_that_is_no_directory_is_a_sentence(cache: Path) -> None:
    (cache / "claims").write_text("in the way")

    with pytest.raises(OrchestrateError, match="Rig cpu cannot be claimed"):
        Claim(CPU).take()


def test_a_shared_rig_is_claimed_for_each_job_only(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.rig_worker.DYING_S", 0.0)
    worker = RigWorker(CPU, shared=True)
    assert worker.claim() is None
    other = taken(CPU)
    assert other.take() is None
    outcome = worker.run(replace(make_job(), log_dir=str(cache / "logs")))
    assert isinstance(outcome, Failed)
    assert outcome.diagnosis.kind is FailureKind.RIG_OCCUPIED
    other.give_back()
