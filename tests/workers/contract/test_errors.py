"""Errors cross process borders whole."""

from __future__ import annotations

import pickle

from workers.contract.errors import OrchestrateError
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import EngineError


def test_an_error_keeps_its_hint_when_pickled() -> None:
    copy = pickle.loads(pickle.dumps(OrchestrateError("No space left.", "Free some.")))
    assert (copy.message, copy.hint) == ("No space left.", "Free some.")
    assert str(copy) == "No space left. Free some."


def test_an_engine_error_keeps_its_diagnosis_when_pickled() -> None:
    why = Diagnosis(FailureKind.OUT_OF_MEMORY, "cudaMalloc failed", "Use less.", True, "kv")
    copy = pickle.loads(pickle.dumps(EngineError(why, Phase.LOAD, "tail")))
    assert (copy.diagnosis, copy.phase, copy.log_tail) == (why, Phase.LOAD, "tail")
