"""Reading which types a KV cache has, in the wordings of several years and forks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.gates import logs
from workers.gates.kv_lines import KvAllocation, kv_allocations, other_types


@pytest.mark.parametrize(
    ("log", "found"),
    [
        (logs.KV_NOW, KvAllocation("q8_0", "q5_1", 10.20)),
        (logs.KV_2024, KvAllocation("turbo3", "f16", 512.0)),
        (logs.KV_LATENT, KvAllocation("q8_0", None, 72.91)),
        (logs.KV_K_ONLY, KvAllocation("q8_0", None, 64.0)),
        (logs.KV_KVARN, KvAllocation("kvarn4", "kvarn3", 552.0)),
    ],
)
def test_each_wording_is_read(log: str, found: KvAllocation) -> None:
    [cache] = kv_allocations(log)

    assert (cache.k, cache.v) == (found.k, found.v)
    assert cache.mib == pytest.approx(found.mib)


def test_a_latent_cache_of_mainline_has_no_v() -> None:
    line = "llama_kv_cache: size = 72.91 MiB (..), K (f16): 72.91 MiB, V (f16): 0.00 MiB\n"

    assert kv_allocations(line) == [KvAllocation("f16", None, 72.91)]


def test_all_caches_of_a_model_are_read_in_order() -> None:
    assert [(c.k, c.mib) for c in kv_allocations(logs.KV_SLIDING)] == [("q8_0", 160), ("f16", 20)]


def test_the_larger_cache_decides_what_the_types_are() -> None:
    caches = kv_allocations(logs.KV_SLIDING)

    assert other_types(caches, "q4_0", "q4_0") == {"k": "q8_0", "v": "q8_0"}


def test_a_smaller_cache_of_another_type_is_a_difference_too() -> None:
    assert other_types(kv_allocations(logs.KV_SLIDING), "q8_0", "q8_0") == {"k": "f16", "v": "f16"}


def test_types_are_compared_without_case() -> None:
    assert other_types([KvAllocation("q8_KV", "f16", 1.0)], "q8_kv", "F16") == {}


@given(
    k=st.sampled_from(["f16", "q8_0", "iq4_nl", "turbo3_tcq"]),
    v=st.sampled_from(["f16", "q5_1", "turbo4"]),
    k_mib=st.floats(0.01, 1e6),
    v_mib=st.floats(0.01, 1e6),
    noise=st.text(max_size=40),
)
def test_any_sizes_and_any_text_around_are_read(
    k: str, v: str, k_mib: float, v_mib: float, noise: str
) -> None:
    line = f"x: size = 1 MiB (1 cells), K ({k}): {k_mib:7.2f} MiB, V ({v}): {v_mib:7.2f} MiB"

    [cache] = kv_allocations(f"{noise}\n{line}\n{noise}")

    assert (cache.k, cache.v) == (k, v)


@given(st.text())
def test_no_text_makes_it_raise(text: str) -> None:
    kv_allocations(text)
