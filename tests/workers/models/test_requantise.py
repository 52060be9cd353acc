"""Requantisation in a child: made once, atomically, with the quantizer's own words on failure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.models import builtin_model
from workers.models import builtin, requantise
from workers.models.builtin import builtin_path
from workers.models.child import ChildEnd, Message
from workers.models.errors import ModelError
from workers.models.resolve import report


@pytest.fixture
def quantizer(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Stands in for the child: writes `content`, ends with `code`, and notes the request."""
    stub: dict[str, object] = {"content": b"GGUF", "code": 0, "log": "", "asked": []}

    def run_child(
        module: str, request: Message, log: Path, on_message: Callable[[Message], None]
    ) -> ChildEnd:
        stub["asked"].append(request)  # type: ignore[attr-defined]
        log.write_text(str(stub["log"]))
        if stub["content"]:
            Path(str(request["target"])).write_bytes(stub["content"])  # type: ignore[arg-type]
        return ChildEnd(int(str(stub["code"])), False, str(stub["log"]))

    monkeypatch.setattr(requantise, "run_child", run_child)
    return stub


def test_the_target_appears_and_the_log_goes(quantizer: dict[str, object], tmp_path: Path) -> None:
    made = requantise.requantise(tmp_path / "q4.gguf", "Q8_0", tmp_path / "out" / "q8.gguf", 1)
    assert made.read_bytes() == b"GGUF"
    assert not list((tmp_path / "out").glob("*.log"))


def test_a_crash_keeps_nothing_but_the_log(quantizer: dict[str, object], tmp_path: Path) -> None:
    quantizer.update(code=-6, log="main: ok\nllama_model_quantize: failed to quantize: no data\n")
    with pytest.raises(ModelError, match=r"killed by SIGABRT.*failed to quantize: no data"):
        requantise.requantise(tmp_path / "q4.gguf", "Q8_0", tmp_path / "out" / "q8.gguf", 1)
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".lock", ".log"}


def test_success_without_a_file_is_a_failure(quantizer: dict[str, object], tmp_path: Path) -> None:
    quantizer.update(content=b"")
    with pytest.raises(ModelError, match="it said nothing"):
        requantise.requantise(tmp_path / "q4.gguf", "Q8_0", tmp_path / "q8.gguf", 1)


def test_a_made_one_needs_no_source(
    quantizer: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtin, "wheel_file", lambda *_: tmp_path / "source.gguf")
    first = builtin_path("smollm2-135m-Q2_K")
    monkeypatch.setattr(builtin, "wheel_file", lambda *_: pytest.fail("looked for the source"))
    assert builtin_path("smollm2-135m-Q2_K") == first


@pytest.mark.engine
def test_a_real_requantisation_is_a_model_of_that_type() -> None:
    builtin_model("smollm2-135m-Q2_K")
    facts = report("builtin:smollm2-135m-Q2_K")
    assert facts.problem is None
    assert facts.header["quant"] == "Q2_K"
    assert facts.header["vocab_hash"] == report("builtin:smollm2-135m-Q4_1").header["vocab_hash"]


@pytest.mark.engine
def test_the_real_quantizer_says_why_it_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF, but not really")
    with pytest.raises(ModelError, match=r"broken\.gguf cannot be requantised to Q8_0"):
        requantise.requantise(tmp_path / "broken.gguf", "Q8_0", tmp_path / "q8.gguf", 1)
    assert not (tmp_path / "q8.gguf").exists()
