"""What a GPU build says of its attention kernels before it loads anything."""

from __future__ import annotations

from workers.engines.attention_pairs import ALL, DEFAULT, attention_pairs


def info(features: str) -> str:
    return (
        "0.00.013.141 I cmn  common_param: system_info: n_threads = 8 (n_threads_batch = 8) / 16 | "
        f"CUDA : ARCHS = 900 | USE_GRAPHS = 1 | {features}CPU : SSE3 = 1 | AVX2 = 1 | \n"
        "0.00.021.453 I srv    load_model: loading model '/nowhere.gguf'\n"
    )


def test_a_build_with_all_of_them_says_so() -> None:
    assert attention_pairs(info("FA_ALL_QUANTS = 1 | ")) == ALL


def test_newer_builds_list_them() -> None:
    assert attention_pairs(info("FA_QUANTS = f16-f16;q8_0-q5_1 | ")) == ("f16-f16", "q8_0-q5_1")
    assert attention_pairs(info("FA_QUANTS = all | ")) == ALL


def test_a_build_that_lists_none_has_the_usual_ones() -> None:
    assert attention_pairs(info("")) == DEFAULT


def test_without_a_gpu_backend_nothing_is_told() -> None:
    assert attention_pairs("system_info: n_threads = 2 | CPU : AVX2 = 1 | ") is None
    assert attention_pairs("error while loading shared libraries") is None
