"""A pair that cannot work is refused, one that might is let through."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.support.gguf_writer import write_dflash, write_gguf
from workers.contract.model_header import DraftKeys, ModelHeader
from workers.gguf_files.check import check_pair
from workers.gguf_files.header import read_header


@pytest.fixture
def target(model: Path) -> ModelHeader:
    return read_header(model)


def test_a_drafter_and_its_target_pass(target: ModelHeader, drafter: Path) -> None:
    assert check_pair(target, read_header(drafter)) is None


def test_a_tap_on_the_output_of_the_last_layer_passes(target: ModelHeader, drafter: Path) -> None:
    header = read_header(drafter)
    deepest = dataclasses.replace(header, draft=DraftKeys(target_layers=(0, target.n_layer)))
    assert check_pair(target, deepest) is None


def test_a_tap_beyond_the_target_is_refused(target: ModelHeader, drafter: Path) -> None:
    header = read_header(drafter)
    too_deep = dataclasses.replace(header, draft=DraftKeys(target_layers=(1, 61)))
    problem = check_pair(target, too_deep)
    assert problem is not None
    assert "reads layer 61" in problem
    assert "has 2 layers" in problem


def test_a_dflash_of_another_width_is_refused(target: ModelHeader, tmp_path: Path) -> None:
    problem = check_pair(target, read_header(write_dflash(tmp_path / "d.gguf", n_embd=128)))
    assert problem is not None
    assert "hidden size 128" in problem


def test_an_eagle3_that_names_another_width_is_refused(target: ModelHeader, drafter: Path) -> None:
    keys = DraftKeys(target_layers=(0, 1, 2), target_hidden_size=5120)
    eagle = dataclasses.replace(read_header(drafter), architecture="eagle3", draft=keys)
    assert "hidden size 5120" in (check_pair(target, eagle) or "")


def test_a_dflash_that_shares_the_embedding_needs_no_vocabulary(
    target: ModelHeader, tmp_path: Path
) -> None:
    drafter = read_header(write_dflash(tmp_path / "d.gguf", vocab=["other"] * 3))
    assert check_pair(target, drafter) is None


class TestVocabularies:
    words = tuple(f"w{i}" for i in range(400))

    def problem(self, tmp_path: Path, target: list[str], drafter: list[str]) -> str | None:
        one = read_header(write_gguf(tmp_path / "target.gguf", vocab=target))
        other = read_header(write_gguf(tmp_path / "drafter.gguf", vocab=drafter))
        return check_pair(one, other)

    def test_equal_ones_pass(self, tmp_path: Path) -> None:
        assert self.problem(tmp_path, [*self.words], [*self.words]) is None

    def test_padding_up_to_128_tokens_passes(self, tmp_path: Path) -> None:
        assert self.problem(tmp_path, [*self.words], [*self.words[:-128]]) is None

    def test_more_than_padding_is_refused(self, tmp_path: Path) -> None:
        problem = self.problem(tmp_path, [*self.words], [*self.words[:-129]])
        assert problem is not None
        assert "271 tokens" in problem

    def test_one_other_token_is_refused(self, tmp_path: Path) -> None:
        problem = self.problem(tmp_path, [*self.words], [*self.words[:-1], "else"])
        assert problem is not None
        assert "differ" in problem

    def test_another_kind_of_tokenizer_is_refused(self, target: ModelHeader) -> None:
        other = dataclasses.replace(target, tokenizer_model="llama")
        assert "tokenizer" in (check_pair(target, other) or "")


def test_gemma4_assistants_serve_gemma4_only(target: ModelHeader) -> None:
    assistant = dataclasses.replace(target, architecture="gemma4-assistant")
    assert "Gemma 4" in (check_pair(target, assistant) or "")
    gemma = dataclasses.replace(target, architecture="gemma4")
    assert check_pair(gemma, assistant) is None
