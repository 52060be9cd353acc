"""What the embedded engine's child sets, read back from the build's own parameters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from tests.workers.engines.rigs import CPU
from workers.engines.base import Assets
from workers.engines.embedded import settings_of
from workers.engines.embedded_parameters import (
    UnsupportedError,
    kv_types,
    parameters,
    spec_types,
)
from workers.engines.embedded_settings import EmbeddedSettings

xllamacpp = pytest.importorskip("xllamacpp")

PLAIN = EmbeddedSettings(
    model="m.gguf",
    port=1234,
    threads=2,
    kv_k="q8_0",
    kv_v="q5_1",
    ctx=512,
    batch=256,
    ubatch=128,
    spec=("none",),
)
DFLASH = replace(PLAIN, spec=("draft-dflash",), drafter="d.gguf", n_max=4, n_min=1, p_min=0.25)


def test_settings_travel_as_one_line() -> None:
    assert "\n" not in DFLASH.to_json()
    assert EmbeddedSettings.from_json(DFLASH.to_json()) == DFLASH


def test_sizes_and_types() -> None:
    params = parameters(PLAIN)
    assert (params.n_ctx, params.n_batch, params.n_ubatch) == (512, 256, 128)
    assert params.cache_type_k == xllamacpp.ggml_type.GGML_TYPE_Q8_0
    assert params.cache_type_v == xllamacpp.ggml_type.GGML_TYPE_Q5_1
    assert params.cpuparams.n_threads == params.cpuparams_batch.n_threads == 2


def test_nothing_is_left_to_a_default_that_could_change_a_number() -> None:
    params = parameters(PLAIN)
    enabled = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    assert params.flash_attn_type == enabled
    assert (params.fit_params, params.n_parallel, params.cache_ram_mib) == (False, 1, 0)
    assert (params.warmup, params.endpoint_metrics, params.endpoint_slots) == (True, True, True)


def test_it_listens_on_this_machine_only() -> None:
    params = parameters(PLAIN)
    assert (params.hostnames, params.port) == (["127.0.0.1"], 1234)


def test_speculation() -> None:
    speculative = parameters(DFLASH).speculative
    kind = xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_DRAFT_DFLASH
    assert speculative.types == [kind]
    draft = speculative.draft
    assert (draft.n_max, draft.n_min, draft.p_min) == (4, 1, 0.25)
    assert draft.mparams.path == "d.gguf"


def test_the_drafter_has_kv_types_of_its_own() -> None:
    draft = parameters(replace(DFLASH, draft_kv_k="q4_0", draft_kv_v="q8_0")).speculative.draft
    assert draft.cache_type_k == xllamacpp.ggml_type.GGML_TYPE_Q4_0
    assert draft.cache_type_v == xllamacpp.ggml_type.GGML_TYPE_Q8_0


@pytest.mark.parametrize(
    ("kind", "part", "name"),
    [("ngram-mod", "ngram_mod", "n_max"), ("ngram-simple", "ngram_simple", "size_m")],
)
def test_each_kind_has_its_own_draft_length(kind: str, part: str, name: str) -> None:
    speculative = parameters(replace(PLAIN, spec=(kind,), n_max=9)).speculative
    assert getattr(getattr(speculative, part), name) == 9


def test_several_kinds_share_the_drafters_lengths() -> None:
    both = parameters(replace(DFLASH, spec=("draft-dflash", "ngram-mod"))).speculative
    assert len(both.types) == 2
    assert both.draft.n_max == 4


@pytest.mark.parametrize(
    "settings",
    [
        replace(PLAIN, kv_k="turbo3"),
        replace(PLAIN, kv_v="q2_k"),  # a weight format: the engine would abort
        replace(DFLASH, draft_kv_k="kvarn4"),
        replace(PLAIN, spec=("suffix",)),
        replace(PLAIN, spec=("ngram-cache",), n_max=4),
        replace(PLAIN, spec=("ngram-mod",), p_min=0.5),
        replace(PLAIN, load_mode="telepathy"),
    ],
)
def test_what_the_build_lacks_is_an_error(settings: EmbeddedSettings) -> None:
    with pytest.raises(UnsupportedError):
        parameters(settings)


@pytest.mark.parametrize("mode", ["mmap", "none", "mlock", "mmap+mlock", "dio"])
def test_load_modes(mode: str) -> None:
    assert parameters(replace(PLAIN, load_mode=mode)).load_mode is not None


@pytest.mark.parametrize(("ngl", "layers"), [("all", -2), ("7", 7)])
def test_layers(ngl: str, layers: int) -> None:
    assert parameters(replace(PLAIN, ngl=ngl)).n_gpu_layers == layers


def test_abilities_are_read_from_the_build() -> None:
    assert {"f16", "q8_0", "iq4_nl"} <= set(kv_types())
    assert "q2_K" not in kv_types()
    assert {"none", "draft-dflash", "ngram-map-k4v"} <= set(spec_types())


def test_a_candidate_becomes_settings() -> None:
    candidate = Candidate("m", ctx=512, spec="draft-dflash,ngram-mod", drafter="d", n_max=3)
    assets = Assets(Path("m.gguf"), Path("d.gguf"))
    settings = settings_of(candidate, assets, CPU, port=9, verbosity=3)
    assert settings.spec == ("draft-dflash", "ngram-mod")
    assert (settings.drafter, settings.n_max, settings.threads) == ("d.gguf", 3, CPU.threads)


def test_a_drafter_that_is_not_used_is_not_loaded() -> None:
    candidate = Candidate("m", spec="ngram-mod")
    assets = Assets(Path("m.gguf"), Path("d.gguf"))
    assert settings_of(candidate, assets, CPU, port=9, verbosity=3).drafter is None
