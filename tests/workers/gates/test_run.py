"""Running gates: what a report says, and which fatal verdict decides."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from search_spaces.candidate import Value
from tests.workers.gates.scenes import scene
from workers.contract.failure import FailureKind
from workers.contract.outcome import GateVerdict
from workers.gates.base import Finding, Scene
from workers.gates.run import run_gates


class Says:
    """A gate that says what it was made to say."""

    advice = "Do something about it."

    def __init__(
        self,
        name: str,
        passed: bool | None,
        *,
        when: str = "launch",
        fatal: bool = True,
        kind: FailureKind = FailureKind.GATE,
        effective: Mapping[str, Value] | None = None,
    ) -> None:
        self.name, self.when, self.fatal, self.kind = name, when, fatal, kind
        self._passed, self._effective = passed, dict(effective or {})

    def check(self, scene: Scene) -> Finding | None:
        if self._passed is None:
            return None
        verdict = GateVerdict(self.name, self._passed, f"{self.name} saw it", self.fatal)
        return Finding(verdict, self._effective, {f"{self.name}_share": 0.5})


def test_only_the_gates_of_the_moment_are_asked() -> None:
    gates = [
        Says("early", True),
        Says("late", True, when="measured"),
        Says("both", True, when="always"),
    ]

    early, late = (run_gates(scene(), when, gates) for when in ("launch", "measured"))

    assert [v.gate for v in early.verdicts] == ["early", "both"]
    assert [v.gate for v in late.verdicts] == ["late", "both"]


def test_a_gate_that_does_not_apply_leaves_no_verdict() -> None:
    assert run_gates(scene(), "launch", [Says("silent", None)]).verdicts == ()


def test_every_gate_is_asked_after_one_has_failed() -> None:
    report = run_gates(scene(), "launch", [Says("first", False), Says("second", False)])

    assert [v.gate for v in report.verdicts] == ["first", "second"]
    assert report.fatal is not None
    assert report.fatal.detail == "first"


def test_an_infrastructure_failure_decides_over_earlier_ones() -> None:
    gates = [Says("lie", False), Says("port", False, kind=FailureKind.NETWORK_PORT)]

    report = run_gates(scene(), "launch", gates)

    assert report.fatal is not None
    assert report.fatal.kind is FailureKind.NETWORK_PORT
    assert not report.fatal.deterministic


def test_a_diagnosis_carries_the_evidence_and_the_advice_of_its_gate() -> None:
    report = run_gates(scene(), "launch", [Says("lie", False)])

    assert report.fatal is not None
    assert report.fatal.evidence == "lie saw it"
    assert report.fatal.advice == "Do something about it."
    assert report.fatal.deterministic


def test_a_failed_gate_that_is_not_fatal_flags_the_numbers_with_its_name() -> None:
    report = run_gates(scene(), "launch", [Says("marked", False, fatal=False), Says("fine", True)])

    assert report.fatal is None
    assert report.flags == ("marked",)


def test_what_the_engine_really_did_and_what_was_recorded_is_gathered() -> None:
    gates = [Says("a", True, effective={"n_max": 7}), Says("b", True, effective={"kv_k": "f16"})]

    report = run_gates(scene(), "launch", gates)

    assert report.effective == {"n_max": 7, "kv_k": "f16"}
    assert report.recorded == {"a_share": 0.5, "b_share": 0.5}


def test_an_unknown_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="warmup"):
        run_gates(scene(), "warmup", [])
