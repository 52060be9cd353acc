"""Which layers keep a growing cache, a window, or a state of fixed size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gguf_writer import QWEN35_27B, write_gguf
from workers.contract.model_header import ModelHeader
from workers.gguf_files.header import read_header


def header(tmp_path: Path, architecture: str, **options: object) -> ModelHeader:
    path = tmp_path / f"{architecture}.gguf"
    return read_header(write_gguf(path, architecture, tensors={}, **options))  # type: ignore[arg-type]


def test_a_plain_transformer_keeps_everything(tmp_path: Path) -> None:
    plain = header(tmp_path, "llama", n_layer=4)
    assert plain.layers.full == (0, 1, 2, 3)
    assert plain.recurrent_state_bytes == 0


def test_a_hybrid_keeps_kv_in_every_fourth_layer_only(tmp_path: Path) -> None:
    hybrid = header(tmp_path, "qwen35", n_layer=65, keys=QWEN35_27B)
    assert hybrid.n_layer == 64
    assert hybrid.layers.full == tuple(range(3, 64, 4))
    assert len(hybrid.layers.recurrent) == 48
    assert hybrid.layers.nextn == (64,)


def test_the_recurrent_state_of_a_27b_is_149_62_mib(tmp_path: Path) -> None:
    # https://github.com/ggml-org/llama.cpp/pull/23792: "448.88 MiB (3 cells, 65 layers, ..."
    state = header(tmp_path, "qwen35", n_layer=65, keys=QWEN35_27B).recurrent_state_bytes
    assert state is not None
    assert 3 * state / 2**20 == pytest.approx(448.88, abs=0.01)


def test_a_hybrid_that_does_not_say_its_state_size_is_unknown(tmp_path: Path) -> None:
    assert header(tmp_path, "qwen35", n_layer=8).recurrent_state_bytes is None


def test_layers_without_kv_heads_are_convolutions_in_lfm2(tmp_path: Path) -> None:
    hybrid = header(
        tmp_path, "lfm2", n_layer=4, n_head_kv=[0, 2, 0, 2], keys={"shortconv.l_cache": 3}
    )
    assert hybrid.layers.recurrent == (0, 2)
    assert hybrid.layers.full == (1, 3)
    assert hybrid.recurrent_layer_bytes == 64 * 2 * 4


def test_nemotron_has_layers_that_keep_nothing(tmp_path: Path) -> None:
    keys = {"feed_forward_length": [0, 128, 0, 0], "ssm.state_size": 8, "ssm.inner_size": 16}
    hybrid = header(tmp_path, "nemotron_h", n_layer=4, n_head_kv=[0, 0, 2, 0], keys=keys)
    assert hybrid.layers.recurrent == (0, 3)
    assert hybrid.layers.full == (2,)


@pytest.mark.parametrize(
    ("architecture", "full"),
    [("gpt-oss", (1, 3, 5, 7)), ("gemma2", (1, 3, 5, 7)), ("laguna", (0, 4)), ("cohere2", (3, 7))],
)
def test_sliding_windows_follow_the_architecture(
    tmp_path: Path, architecture: str, full: tuple[int, ...]
) -> None:
    windowed = header(tmp_path, architecture, n_layer=8, keys={"attention.sliding_window": 128})
    assert windowed.layers.full == full
    assert windowed.layers.swa == tuple(i for i in range(8) if i not in full)
    assert windowed.sliding_window == 128


def test_a_list_in_the_file_wins(tmp_path: Path) -> None:
    keys = {
        "attention.sliding_window": 1024,
        "attention.sliding_window_pattern": [True, False, True, False],
        "attention.key_length_swa": 256,
        "attention.key_length": 512,
    }
    windowed = header(tmp_path, "gemma4", n_layer=4, keys=keys)
    assert windowed.layers.swa == (0, 2)
    assert (windowed.head_dim_k, windowed.head_dim_k_swa) == (512, 256)


def test_layers_that_share_a_cache_are_not_counted_twice(tmp_path: Path) -> None:
    keys = {
        "attention.sliding_window": 512,
        "attention.sliding_window_pattern": [True, True, False, True],
        "attention.shared_kv_layers": 1,
    }
    assert header(tmp_path, "gemma4", n_layer=4, keys=keys).layers.swa == (0, 1)


def test_a_window_that_the_engine_ignores_is_none(tmp_path: Path) -> None:
    phi = header(tmp_path, "phi3", n_layer=4, keys={"attention.sliding_window": 2048})
    assert phi.layers.full == (0, 1, 2, 3)
    assert phi.sliding_window == 0
    assert phi.layers.certain


def test_an_unknown_architecture_with_a_window_is_uncertain(tmp_path: Path) -> None:
    new = header(tmp_path, "brand-new", keys={"attention.sliding_window": 2048})
    assert not new.layers.certain


def test_an_embedding_model_keeps_nothing(tmp_path: Path) -> None:
    assert header(tmp_path, "bert").layers.full == ()


def test_compressed_attention_has_keys_only(tmp_path: Path) -> None:
    keys = {
        "attention.kv_lora_rank": 512,
        "attention.key_length": 576,
        "attention.key_length_mla": 192,
    }
    assert header(tmp_path, "deepseek2", n_head_kv=1, keys=keys).mla


def test_files_of_before_compressed_attention_depend_on_the_engine(tmp_path: Path) -> None:
    old = header(tmp_path, "deepseek2", keys={"attention.kv_lora_rank": 512})
    assert not old.mla
    assert not old.layers.certain
