"""A header says what a plan needs to know, and reading it is fast."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from gguf.constants import GGMLQuantizationType

from tests.support.gguf_writer import write_dflash, write_gguf
from workers.contract.model_header import DraftKeys
from workers.gguf_files.header import read_header

REAL_DRAFTER = Path(__file__).parents[2] / "data" / "smollm2-135m-instruct-dflash-Q4_0.gguf"


def test_it_reads_the_attention_geometry(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf", n_layer=3, n_embd=96, n_head=6, n_head_kv=2)
    header = read_header(path)
    assert header.n_layer == 3
    assert header.n_head_kv == (2, 2, 2)
    assert (header.head_dim_k, header.head_dim_v) == (16, 16)  # n_embd / n_head
    assert header.n_ctx_train == 4096


def test_explicit_head_sizes_win_over_the_quotient(tmp_path: Path) -> None:
    keys = {"attention.key_length": 128, "attention.value_length": 64}
    header = read_header(write_gguf(tmp_path / "m.gguf", keys=keys))
    assert (header.head_dim_k, header.head_dim_v) == (128, 64)


def test_heads_can_differ_by_layer(tmp_path: Path) -> None:
    header = read_header(write_gguf(tmp_path / "m.gguf", n_layer=3, n_head_kv=[4, 0, 2]))
    assert header.n_head_kv == (4, 0, 2)
    assert header.layers.full == (0, 2)


def test_it_counts_tensor_bytes_by_place(tmp_path: Path) -> None:
    tensors = {
        "token_embd.weight": (24, 64),
        "output.weight": (24, 64),
        "output_norm.weight": (64,),
        "blk.0.attn_q.weight": (64, 64),
        "blk.1.attn_q.weight": (64, 64),
        "blk.1.ffn_up_exps.weight": (2, 64, 64),
    }
    header = read_header(write_gguf(tmp_path / "m.gguf", tensors=tensors))
    weights = header.weights
    assert weights.token_embd == weights.embedding == 24 * 64 * 4
    assert weights.output == 24 * 64 * 4 + 64 * 4
    assert weights.layers == (64 * 64 * 4, 3 * 64 * 64 * 4)
    assert weights.experts == (0, 2 * 64 * 64 * 4)
    assert weights.total == weights.embedding + weights.output + sum(weights.layers)
    assert not weights.tied
    assert header.tensor_count == 6


def test_a_model_without_output_uses_its_embedding_twice(tmp_path: Path) -> None:
    tensors = {"token_embd.weight": (24, 64), "blk.0.attn_q.weight": (64, 64)}
    weights = read_header(write_gguf(tmp_path / "m.gguf", tensors=tensors)).weights
    assert weights.tied
    assert weights.on_device == weights.token_embd + sum(weights.layers)


def test_the_quantization_has_the_name_people_use(tmp_path: Path) -> None:
    named = write_gguf(tmp_path / "named.gguf", keys={"general.file_type": 15})
    unnamed = write_gguf(tmp_path / "unnamed.gguf", quant=GGMLQuantizationType.Q8_0)
    assert read_header(named).quant == "Q4_K_M"
    assert read_header(unnamed).quant == "Q8_0"


def test_equal_vocabularies_have_equal_hashes_whatever_their_first_tokens(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(30)]
    one = read_header(write_gguf(tmp_path / "a.gguf", vocab=words))
    renamed = read_header(write_gguf(tmp_path / "b.gguf", vocab=["<s>", *words[1:]]))
    other = read_header(write_gguf(tmp_path / "c.gguf", vocab=[*words[:-1], "else"]))
    assert one.vocab_hash == renamed.vocab_hash != other.vocab_hash
    assert one.n_vocab == 30


def test_a_dflash_drafter_says_what_it_taps(tmp_path: Path) -> None:
    header = read_header(write_dflash(tmp_path / "d.gguf", block_size=16))
    assert header.draft is not None
    assert header.draft.target_layers == (0, 1)
    assert header.draft.block_size == 16
    assert not header.is_dflash2


def test_a_selector_makes_it_a_dflash2(tmp_path: Path) -> None:
    header = read_header(write_dflash(tmp_path / "d.gguf", keys={"selector_top_k": 16}))
    assert header.is_dflash2


def test_a_split_model_is_one_model(tmp_path: Path) -> None:
    half = {"token_embd.weight": (24, 64), "blk.0.attn_q.weight": (64, 64)}
    rest = {"output.weight": (24, 64), "blk.1.attn_q.weight": (64, 64)}
    split = {"split.count": 2, "split.tensors.count": 4}
    first = write_gguf(
        tmp_path / "m-00001-of-00002.gguf", keys={**split, "split.no": 0}, tensors=half
    )
    write_gguf(tmp_path / "m-00002-of-00002.gguf", keys={**split, "split.no": 1}, tensors=rest)
    header = read_header(first)
    assert header.split_count == 2
    assert header.tensor_count == 4
    assert header.weights.layers == (64 * 64 * 4, 64 * 64 * 4)


def test_tensors_of_a_fork_are_measured_by_the_room_they_take(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf")
    known = read_header(path)
    raw = path.read_bytes()
    name = b"blk.0.attn_q.weight"
    at = raw.index(name) + len(name) + 4 + 2 * 8  # dimension count, two dimensions, then type
    path.write_bytes(raw[:at] + (999).to_bytes(4, "little") + raw[at + 4 :])
    assert read_header(path).weights == known.weights


@pytest.mark.skipif(not REAL_DRAFTER.exists(), reason=f"{REAL_DRAFTER.name} is not here")
def test_a_real_drafter() -> None:
    header = read_header(REAL_DRAFTER)
    assert header.architecture == "dflash"
    assert header.draft == DraftKeys(target_layers=(2, 9, 16, 23, 29), block_size=8)
    assert (header.n_layer, header.n_vocab, header.quant) == (3, 49152, "Q4_0")
    assert header.weights.token_embd == 0  # it shares the target's


def test_a_large_vocabulary_takes_no_second(tmp_path: Path) -> None:
    words = [f"piece{i}" for i in range(150_000)]
    path = write_gguf(tmp_path / "m.gguf", vocab=words)
    read_header(path)  # imports
    start = time.perf_counter()
    read_header(path)
    assert time.perf_counter() - start < 1.0
