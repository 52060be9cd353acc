"""What each format says beside the command line."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from ruamel.yaml import YAML

from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.names import distinct, stable_name
from orchestrator.analysis.exports.registry import export
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.exports.readers import modelfile
from tests.orchestrator.analysis.exports.requests import CANDIDATE, RECORD, request


def yaml(text: str) -> Any:
    return YAML(typ="safe").load(io.StringIO(text))


def of(candidate: Candidate, rig: str = "cpu") -> Any:
    record = replace(RECORD, candidate=candidate, rig=rig)
    return replace(request(), record=record, name=stable_name(candidate))


def test_a_name_says_model_cache_speculation_and_context() -> None:
    assert stable_name(CANDIDATE) == "Qwen3.6-27B-UD-Q5_K_XL-kv_q4_0_turbo4-dflash-256k"


def test_a_name_survives_any_file_name() -> None:
    assert stable_name(replace(CANDIDATE, model="/a/b c$(x).gguf")).startswith("b-c-x-")


def test_equal_names_are_told_apart_whatever_their_order() -> None:
    longer, wider = replace(CANDIDATE, n_max=7), replace(CANDIDATE, ubatch=1024)
    requests = [of(CANDIDATE), of(longer), of(wider), of(CANDIDATE, rig="rtx5090")]
    forward = [one.name for one in distinct(requests)]
    backward = [one.name for one in distinct(requests[::-1])]
    assert len(set(forward)) == 4
    assert forward == backward[::-1]
    assert forward[1] == f"{stable_name(CANDIDATE)}-n7"


def test_a_service_reserves_the_cards_that_were_measured() -> None:
    text = export("compose", [replace(request(), cards=(1, 3))])
    deploy = yaml(text)["services"]["best-4k"]["deploy"]
    assert deploy["resources"]["reservations"]["devices"] == [
        {"driver": "nvidia", "device_ids": ["1", "3"], "capabilities": ["gpu"]}
    ]


def test_a_service_on_a_cpu_reserves_nothing() -> None:
    assert "deploy" not in yaml(export("compose", [request()]))["services"]["best-4k"]


def test_a_split_model_is_mounted_whole() -> None:
    text = export("compose", [request("/m/x-00001-of-00003.gguf")])
    mounts = yaml(text)["services"]["best-4k"]["volumes"]
    assert [mount["source"][-20:] for mount in mounts] == [
        f"x-0000{i}-of-00003.gguf"[-20:] for i in (1, 2, 3)
    ]


def test_a_model_whose_place_is_not_known_cannot_be_mounted() -> None:
    with pytest.raises(ExportError, match="Where builtin:x is was not recorded"):
        export("compose", [request("builtin:x")])


def test_several_services_start_by_profile() -> None:
    services = yaml(export("compose", [request(), replace(request(), name="other")]))["services"]
    assert {name: service["profiles"] for name, service in services.items()} == {
        "best-4k": ["best-4k"],
        "other": ["other"],
    }


def test_a_title_holds_no_macro_of_llama_swap() -> None:
    text = export("llama-swap", [replace(request(), title="x ${PORT} ${env.HOME}")])
    assert yaml(text)["models"]["best-4k"]["name"] == "x $ {PORT} $ {env.HOME}"


def test_a_unit_shows_the_server_the_cards_that_were_measured() -> None:
    text = export("systemd", [replace(request(), cards=(0, 2))])
    assert 'Environment="CUDA_DEVICE_ORDER=PCI_BUS_ID" "CUDA_VISIBLE_DEVICES=0,2"' in text


def test_a_modelfile_says_what_ollama_takes_and_lists_the_rest() -> None:
    text = export("ollama", [request()])
    assert modelfile(text)["num_ctx"] == "262144"
    assert "#   K/V cache types (a server has one, of f16, q8_0 and q4_0): q4_0/turbo4" in text
    for lost in (
        "kind of speculation: draft-dflash",
        "neither its kind nor its length): d.gguf",
        "draft length n_max: 4",
    ):
        assert lost in text
    assert "OLLAMA_KV_CACHE_TYPE" not in text


def test_a_modelfile_names_the_variable_of_one_cache_type() -> None:
    text = export("ollama", [of(replace(CANDIDATE, kv_k="q8_0", kv_v="q8_0"))])
    assert "#   OLLAMA_KV_CACHE_TYPE=q8_0" in text


def test_config_holds_settings_numbers_and_intervals() -> None:
    entry = yaml(export("config", [of(CANDIDATE)]))[stable_name(CANDIDATE)]
    assert entry["candidate"]["n_max"] == 4
    assert entry["measured"]["tok_s"]["value"] == RECORD.value("tok_s")
    assert entry["verified"] is False
