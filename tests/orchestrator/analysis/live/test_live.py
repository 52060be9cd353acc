"""A live server beside what a sweep measured of its model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.analysis.live.match import Sweep
from orchestrator.analysis.live.registry import rules_of
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import blurred
from tests.workers.doctor.server.metrics import llama_scene, slot
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.server.base import Scene
from workers.doctor.server.run import judge
from workers.doctor.server.window import NotToldError

PLAIN = Candidate(model="builtin:m", ctx=4096)
DRAFT = replace(PLAIN, spec="draft-dflash", drafter="d", n_max=3)
LINE = "llama-server -m /models/m.gguf"


def sweep(*records: Measured) -> Sweep:
    return Sweep.of(records, ())


def serving(rate: float, *, command: str | None = LINE, at_once: int = 1, **more: float) -> Scene:
    values = {"tokens_predicted_total": 100, "tokens_predicted_seconds_total": 100 / rate}
    crowd = {"requests_processing": at_once}
    drafts = bool(more)
    slots = [[slot(speculative=drafts)]] * 2
    return llama_scene(crowd, {**values, **crowd, **more}, slots=slots, command=command)


def found(known: Sweep, scene: Scene) -> dict[str, Finding]:
    return {finding.rule: finding for finding in judge(scene, rules_of(known))[0]}


def test_a_server_that_is_slower_than_measured_is_told_with_both_numbers() -> None:
    known = sweep(blurred(1, 0.02, PLAIN, tok_s=86))
    one = found(known, serving(52))["measured_rate"]
    assert (one.severity, one.confidence) == (Severity.WARNING, Confidence.HIGH)
    assert one.evidence.startswith("you measured 86.0 tok/s (84.3 to 87.7); it now serves 52.0")


def test_a_server_that_is_as_fast_is_told_so() -> None:
    known = sweep(blurred(1, 0.02, PLAIN, tok_s=86))
    assert found(known, serving(84))["measured_rate"].severity is Severity.OK


def test_several_requests_at_once_make_it_a_guess() -> None:
    known = sweep(blurred(1, 0.02, PLAIN, tok_s=86))
    one = found(known, serving(40, at_once=2))["measured_rate"]
    assert one.confidence is Confidence.LOW
    assert "2.0 requests at once" in one.evidence


def test_without_a_command_line_the_slowest_that_fits_counts() -> None:
    known = sweep(
        blurred(1, 0.02, PLAIN, tok_s=86), blurred(2, 0.02, replace(PLAIN, kv_k="q8_0"), tok_s=50)
    )
    one = found(known, serving(49, command=None))["measured_rate"]
    assert one.severity is Severity.OK
    assert "(slowest of 2 that fit)" in one.evidence


@pytest.mark.parametrize(
    ("line", "trial"),
    [
        (LINE, 1),
        (f"{LINE} -ctk q8_0", 2),
        (f"{LINE} -md d.gguf --spec-type draft-dflash --spec-draft-n-max 3", 3),
    ],
)
def test_a_command_line_says_which_candidate_it_is(line: str, trial: int) -> None:
    known = sweep(
        blurred(1, 0.02, PLAIN, tok_s=86),
        blurred(2, 0.02, replace(PLAIN, kv_k="q8_0"), tok_s=85),
        blurred(3, 0.02, DRAFT, tok_s=84),
    )
    matched = known.same_launch(serving(1, command=line))
    assert [record.trial_id for record in matched] == [trial]


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (
            blurred(1, 0.02, replace(PLAIN, model="builtin:other"), tok_s=1),
            "not measure m.gguf",
        ),
        (blurred(1, 0.02, replace(PLAIN, ctx=999), tok_s=1), "with other settings only"),
        (replace(blurred(1, 0.02, PLAIN, tok_s=1), state=State.FAILED), "did not measure"),
        (replace(blurred(1, 0.02, PLAIN, tok_s=1), simulated=True), "did not measure"),
    ],
)
def test_what_was_not_measured_is_not_judged(record: Measured, words: str) -> None:
    known = sweep(record)
    with pytest.raises(NotToldError, match=words):
        known.same_launch(serving(1))
    assert found(known, serving(1)) == {}


def test_a_draft_that_the_sweep_saw_losing_is_told() -> None:
    known = sweep(blurred(1, 0.02, PLAIN, tok_s=100), blurred(2, 0.02, DRAFT, tok_s=60))
    line = f"{LINE} --spec-type draft-dflash --spec-draft-n-max 3"
    drafted = {"spec_decode_num_draft_tokens_total": 90.0}
    one = found(known, serving(60, command=line, **drafted))["speculation_loses"]
    assert "100.0 tok/s (98.0 to 102.0) without a draft" in one.evidence
    assert "0.60×" in one.evidence


def test_a_draft_that_gains_and_a_server_without_one_are_left_alone() -> None:
    gains = sweep(blurred(1, 0.02, PLAIN, tok_s=50), blurred(2, 0.02, DRAFT, tok_s=60))
    loses = sweep(blurred(1, 0.02, PLAIN, tok_s=100), blurred(2, 0.02, DRAFT, tok_s=60))
    drafted = {"spec_decode_num_draft_tokens_total": 90.0}
    assert "speculation_loses" not in found(gains, serving(60, **drafted))
    assert "speculation_loses" not in found(loses, serving(100))
