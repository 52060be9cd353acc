"""Headers that stand in for files: the same as real headers of those shapes would give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gguf.constants import GGMLQuantizationType

from search_spaces.load import load_data
from tests.support.gguf_writer import write_gguf
from workers.assumed.card import HeaderCard
from workers.assumed.models import FOLDER, HeaderCardError, known_files, stand_in
from workers.gguf_files.header import read_header

MIB = 2**20


def test_the_name_of_the_file_is_what_counts() -> None:
    name = "Qwen3.6-27B-Q8_0.gguf"
    assert stand_in(f"hf:unsloth/Qwen3.6-27B-GGUF/{name}") == stand_in(f"~/models/{name}")
    assert stand_in("~/models/nobody-knows.gguf") is None


def test_a_repository_may_keep_another_model_under_the_same_name() -> None:
    """The files with layers for multi-token prediction are called as those without."""
    plain = stand_in("hf:unsloth/Qwen3.6-27B-GGUF/Qwen3.6-27B-UD-Q4_K_XL.gguf")
    mtp = stand_in("hf:unsloth/Qwen3.6-27B-MTP-GGUF/Qwen3.6-27B-UD-Q4_K_XL.gguf")
    assert plain is not None
    assert mtp is not None
    assert (plain.n_layer_nextn, mtp.n_layer_nextn) == (0, 1)


@pytest.mark.parametrize(
    ("name", "tensors"),
    [
        ("Qwen3.6-27B-Q8_0.gguf", 851),
        ("Qwen3.6-27B-MTP-GGUF/Qwen3.6-27B-UD-Q4_K_XL.gguf", 866),
        ("Qwen3.6-35B-A3B-Q8_0.gguf", 733),
        ("Qwen3.6-27B-DFlash-Q5_K_M.gguf", 58),  # "expected 81, got 58" names both
        ("Qwen3.8-27B-DFlash2-Q2_K_S-MIX.gguf", 81),
    ],
)
def test_it_has_as_many_tensors_as_the_real_one(name: str, tensors: int) -> None:
    header = stand_in(name)
    assert header is not None
    assert header.tensor_count == tensors


def test_sizes_follow_from_the_shapes() -> None:
    """Public logs: 149.62 MiB of state and 16 attention layers; 682 MiB of embedding in Q4_K."""
    header = stand_in("Qwen3.6-27B-Q8_0.gguf")
    assert header is not None
    assert header.recurrent_state_bytes == round(149.625 * MIB)
    assert (len(header.layers.full), len(header.layers.recurrent)) == (16, 48)
    assert header.weights.embedding == 248_320 * 5_120 // 32 * 34


def test_a_file_of_mixed_types_has_the_size_that_is_published() -> None:
    header = stand_in("Qwen3.8-27B-Q2_K_P.gguf")
    assert header is not None
    assert header.file_bytes == pytest.approx(9.94e9, rel=1e-6)
    assert header.weights.total == header.file_bytes


def test_drafters_fit_the_targets_they_are_for() -> None:
    drafter = stand_in("Qwen3.8-27B-DFlash2-Q2_K_S-MIX.gguf")
    assert drafter is not None
    assert drafter.is_dflash2
    assert drafter.draft is not None
    assert drafter.draft.block_size == 8


def test_a_real_file_of_that_shape_reads_the_same(tmp_path: Path) -> None:
    """The drafter, written as GGUF with its tensors as holes, and read as any file."""
    card = load_data(FOLDER / "qwen36_27b_dflash.yaml", HeaderCard)
    group = card.layers[0].tensors
    layers = {f"blk.{i}.{name}": shape for i in range(5) for name, shape in group.items()}
    keys = {k: list(v) if isinstance(v, tuple) else v for k, v in card.keys.items()}
    geometry = ("context_length", "embedding_length", "block_count")
    heads = ("attention.head_count", "attention.head_count_kv")
    path = write_gguf(
        tmp_path / "drafter.gguf",
        card.architecture,
        n_layer=5,
        n_embd=5120,
        n_head=32,
        n_head_kv=8,
        n_ctx_train=262_144,
        vocab=(),
        keys={k: v for k, v in keys.items() if k not in (*geometry, *heads)},
        tensors={**card.tensors, **layers},
        quant=GGMLQuantizationType.F16,
    )
    own = tmp_path / "cards"
    own.mkdir()
    text = (FOLDER / "qwen36_27b_dflash.yaml").read_text().partition("files:")[0]
    (own / "mine.yaml").write_text(text + "files: {drafter.gguf: {type: F16}}\n")
    read, assumed = read_header(path), stand_in("drafter.gguf", (own,))
    assert assumed is not None
    # Vectors are kept in full where real quantizers write them; the writer makes all F16.
    vectors = sum(s[0] * 2 for s in (*card.tensors.values(), *layers.values()) if len(s) == 1)
    assert assumed.weights.total - read.weights.total == vectors
    same = {
        "path": read.path,
        "name": read.name,
        "quant": read.quant,
        "weights": read.weights,
        "n_vocab": read.n_vocab,
        "file_bytes": read.file_bytes,
        "tokenizer_model": read.tokenizer_model,
    }
    assert replace(assumed, **same) == read  # type: ignore[arg-type]


def test_a_card_that_makes_no_model(tmp_path: Path) -> None:
    text = (FOLDER / "qwen36_27b_dflash.yaml").read_text().partition("files:")[0]
    (tmp_path / "mine.yaml").write_text(text + "files: {odd.gguf: {type: Q9_0}}\n")
    with pytest.raises(HeaderCardError, match=r"odd.gguf: 'Q9_0' is no tensor type of GGUF"):
        stand_in("odd.gguf", (tmp_path,))
    (tmp_path / "mine.yaml").unlink()
    (tmp_path / "small.yaml").write_text(text + "files: {small.gguf: {type: Q4_K, bytes: 1000}}\n")
    with pytest.raises(HeaderCardError, match="are less than its embedding and output take"):
        stand_in("small.gguf", (tmp_path,))


def test_every_card_makes_its_models() -> None:
    assert all(stand_in(name) is not None for name in known_files())
