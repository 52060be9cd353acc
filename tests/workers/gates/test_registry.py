"""The registry: every file of `checks` is a gate, complete and documented."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

import workers.gates.checks as checks
from tests.workers.gates.scenes import scene
from workers.contract.failure import FailureKind
from workers.gates.base import Gate
from workers.gates.registry import MOMENTS, all_gates
from workers.gates.run import run_gates

EXPECTED = {
    "cards_not_shared",
    "engine_on_its_cards",
    "own_server",
    "right_model",
    "speculation_engaged",
    "no_stray_drafts",
    "effective_draft_length",
    "kv_types_allocated",
    "draft_kv_types_allocated",
    "layers_on_device",
    "flash_attention_on_device",
    "no_downgrade",
    "context_per_slot",
    "context_filled",
    "prompt_cache_cold",
    "quiet_host",
    "answers_not_remembered",
    "timings_sane",
    "memory_not_spilled",
    "text_sane",
    "text_repetition",
    "text_after_end",
    "no_throttle",
}


def test_every_file_is_found() -> None:
    assert {gate.name for gate in all_gates()} == EXPECTED


@pytest.mark.parametrize("gate", all_gates(), ids=lambda gate: gate.name)
def test_a_gate_says_which_lie_it_catches_and_what_to_do(gate: Gate) -> None:
    assert (type(gate).__doc__ or "").startswith("Catches ")
    assert gate.advice.endswith(".")
    assert isinstance(gate.kind, FailureKind)


@pytest.mark.parametrize("when", MOMENTS)
def test_a_scene_in_which_nothing_was_observed_never_fails_a_job(when: str) -> None:
    assert run_gates(scene(), when).fatal is None


def add(name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further module of `checks`, for this test only."""
    (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(checks, "__path__", [*checks.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, f"{checks.__name__}.{name}", raising=False)
    importlib.invalidate_caches()
    all_gates.cache_clear()


@pytest.fixture(autouse=True)
def _forget() -> None:
    all_gates.cache_clear()


def test_a_gate_is_added_by_a_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(checks.__path__[0], "no_throttle.py").read_text()
    add("no_noise", source.replace('"no_throttle"', '"no_noise"'), tmp_path, monkeypatch)

    assert "no_noise" in {gate.name for gate in all_gates()}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no GATE"),
        ("class G:\n    name = 'other'\nGATE = G()\n", "is called 'other'"),
        ("class G:\n    name = 'odd'\n    when = 'never'\nGATE = G()\n", "'never'"),
    ],
)
def test_a_file_that_is_no_gate_is_refused(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("odd", text, tmp_path, monkeypatch)

    with pytest.raises(TypeError, match=says):
        all_gates()


def test_the_package_holds_nothing_but_gates() -> None:
    assert {module.name for module in pkgutil.iter_modules(checks.__path__)} == EXPECTED
