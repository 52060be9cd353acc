"""The evaluation itself, with a made-up model in place of libllama."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from workers.logits import child
from workers.logits.chunking import Chunking
from workers.logits.kv_types import KV_TYPES
from workers.logits.request import LogitsRequest

VOCABULARY = 7


class FakeModel:
    """One token for each byte, modulo the vocabulary."""

    n_vocab = VOCABULARY
    n_ctx_train = 64
    type_ids: ClassVar = {name: index for index, name in enumerate(KV_TYPES)}
    api = SimpleNamespace(__version__="0.0")

    def __init__(self, path: str) -> None:
        self.path = path

    def tokenize(self, text: bytes) -> npt.NDArray[np.int32]:
        return (np.frombuffer(text, np.uint8) % VOCABULARY).astype(np.int32)


class FakeContext:
    """Even logits, but for a bump on token 0 that differs by K type; NaN for q4_1."""

    evaluated: ClassVar[list[tuple[str, int]]] = []

    def __init__(self, model: FakeModel, kv: tuple[str, str], how: Chunking, threads: int) -> None:
        self._kv, self._how = kv, how

    def evaluate(self, chunks: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        FakeContext.evaluated.append((self._kv[0], len(chunks)))
        logits = np.zeros((len(chunks), self._how.scored, VOCABULARY), np.float32)
        logits[..., 0] = {"f16": 0.0, "q8_0": 0.5, "q4_1": np.nan}[self._kv[0]]
        return logits


@pytest.fixture
def request_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LogitsRequest:
    monkeypatch.setattr(child, "Model", FakeModel)
    monkeypatch.setattr(child, "Context", FakeContext)
    FakeContext.evaluated.clear()
    (tmp_path / "corpus.txt").write_bytes(bytes(range(100)))
    return LogitsRequest(
        model="m.gguf",
        corpus=str(tmp_path / "corpus.txt"),
        kv=("f16", "f16"),
        n_ctx=8,
        chunks=5,
        batch=16,
        ubatch=8,
        threads=1,
        store=str(tmp_path / "store" / "x.logits"),
        store_limit=10**6,
    )


def run(request: LogitsRequest) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    child.answer(request.as_message(), said.append)
    return said


def only_fault(request: LogitsRequest) -> dict[str, Any]:
    *_, last = run(request)
    assert last["type"] == "fault"
    return last


def chunks(said: list[dict[str, Any]]) -> list[dict[str, float]]:
    return [message["values"] for message in said if message["type"] == "chunk"]


def test_each_chunk_has_its_sum_and_its_tokens(request_: LogitsRequest) -> None:
    first = chunks(run(request_))[0]
    assert first["tokens"] == 3
    assert first["nll"] == pytest.approx(3 * np.log(VOCABULARY))


def test_the_targets_are_the_next_tokens(request_: LogitsRequest) -> None:
    # Positions 4, 5, 6 of chunk 0 predict bytes 5, 6, 7, and only 7 is token 0, which bumps.
    bumped = replace(request_, kv=("q8_0", "q8_0"))
    lse = np.log(VOCABULARY - 1 + np.exp(0.5))
    assert chunks(run(bumped))[0]["nll"] == pytest.approx(3 * lse - 0.5)


def test_chunks_run_together_and_the_last_group_is_smaller(request_: LogitsRequest) -> None:
    assert len(chunks(run(request_))) == 5
    assert [count for _, count in FakeContext.evaluated] == [2, 2, 1]


def test_zero_chunks_are_all_of_them(request_: LogitsRequest) -> None:
    assert len(chunks(run(replace(request_, chunks=0)))) == 12


def test_more_chunks_than_there_are_are_all_of_them(request_: LogitsRequest) -> None:
    assert run(replace(request_, chunks=99))[0] == {"type": "plan", "chunks": 12}


def test_a_text_below_two_chunks_is_refused(request_: LogitsRequest) -> None:
    Path(request_.corpus).write_bytes(b"short text")
    fault = only_fault(request_)
    assert fault["kind"] == "invalid_config"
    assert "corpus.txt is 10 tokens long" in fault["evidence"]


def test_a_chunk_above_the_model_s_limit_is_refused(request_: LogitsRequest) -> None:
    fault = only_fault(replace(request_, n_ctx=128, batch=128))
    assert fault["kind"] == "context_overflow"
    assert "64" in fault["advice"]


def test_an_unknown_type_is_told_the_nearest(request_: LogitsRequest) -> None:
    fault = only_fault(replace(request_, kv=("f16", "q8_1")))
    assert fault["kind"] == "capability_missing"
    assert "'q8_1'" in fault["evidence"]
    assert "Did you mean" in fault["advice"]


def test_output_that_is_no_number_is_broken_quality(request_: LogitsRequest) -> None:
    fault = only_fault(replace(request_, kv=("q4_1", "f16")))
    assert fault["kind"] == "quality_broken"
    assert "q4_1/f16" in fault["evidence"]


def diverging(request: LogitsRequest) -> LogitsRequest:
    return replace(request, kv=("q8_0", "q8_0"), reference=("f16", "f16"))


def test_divergence_has_sums_and_one_percentile_of_the_run(request_: LogitsRequest) -> None:
    said = run(diverging(request_))
    kld = np.log((VOCABULARY - 1 + np.exp(0.5)) / VOCABULARY) - 0.5 / VOCABULARY
    first = chunks(said)[0]
    assert first["kld"] == pytest.approx(3 * kld, rel=1e-5)
    assert first["kld_max"] == pytest.approx(kld, rel=1e-5)
    assert first["nll_base"] == pytest.approx(3 * np.log(VOCABULARY))
    assert said[-1]["values"]["kld_p999"] == pytest.approx(kld, rel=1e-5)


def test_the_reference_is_evaluated_once(request_: LogitsRequest) -> None:
    first = run(diverging(request_))
    FakeContext.evaluated.clear()
    assert run(diverging(request_)) == first
    assert {kv for kv, _ in FakeContext.evaluated} == {"q8_0"}


def test_without_room_the_reference_is_evaluated_again(request_: LogitsRequest) -> None:
    narrow = replace(diverging(request_), store_limit=1)
    first = run(narrow)
    FakeContext.evaluated.clear()
    assert run(narrow) == first
    assert {kv for kv, _ in FakeContext.evaluated} == {"f16", "q8_0"}


def test_a_broken_candidate_leaves_no_half_reference(request_: LogitsRequest) -> None:
    only_fault(replace(request_, kv=("q4_1", "f16"), reference=("f16", "f16")))
    assert not list(Path(request_.store).parent.iterdir())
