"""Hugging Face references: every refusal of the hub is a sentence, and none holds the token."""

from __future__ import annotations

from pathlib import Path

import httpx2
import huggingface_hub
import pytest
from huggingface_hub import errors

from workers.models.errors import ModelError
from workers.models.hub import hub_path

TOKEN = "hf_thisIsASecret"
_RESPONSE = httpx2.Response(
    401,
    request=httpx2.Request("GET", "https://hub.example", headers={"authorization": TOKEN}),
)


def answer(monkeypatch: pytest.MonkeyPatch, what: object) -> None:
    def download(repository: str, file: str) -> str:
        if isinstance(what, Exception):
            raise what
        return f"{what}/{repository}/{file}"

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setenv("HF_TOKEN", TOKEN)


def test_owner_name_and_file_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "/hub")
    assert hub_path("hf:me/model/sub/m.gguf") == Path("/hub/me/model/sub/m.gguf")


def test_all_parts_of_a_split_model_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = []

    def download(repository: str, file: str) -> str:
        fetched.append(file)
        return f"/{file}"

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    assert hub_path("hf:me/model/m-00001-of-00002.gguf") == Path("/m-00001-of-00002.gguf")
    assert fetched == ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]


@pytest.mark.parametrize("reference", ["hf:", "hf:me", "hf:me/model", "hf:me/model/"])
def test_an_incomplete_reference_is_told_the_form(reference: str) -> None:
    with pytest.raises(ModelError, match="hf:OWNER/NAME/FILE"):
        hub_path(reference)


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (errors.GatedRepoError(f"gated {TOKEN}", response=_RESPONSE), "is gated"),
        (errors.RepositoryNotFoundError(f"401 {TOKEN}", response=_RESPONSE), "no repository"),
        (errors.RemoteEntryNotFoundError(f"404 {TOKEN}", response=_RESPONSE), "has no file m.gguf"),
        (errors.LocalEntryNotFoundError(f"offline {TOKEN}"), "cannot be fetched"),
        (errors.HfHubHTTPError(f"500 {TOKEN}", response=_RESPONSE), "cannot be fetched"),
        (httpx2.ConnectError(f"no route {TOKEN}"), "cannot be fetched"),
        (errors.HFValidationError(f"bad {TOKEN}"), "no name of a Hugging Face repository"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_refusal_is_one_sentence_without_the_token(
    monkeypatch: pytest.MonkeyPatch, refusal: Exception, said: str
) -> None:
    answer(monkeypatch, refusal)
    with pytest.raises(ModelError) as raised:
        hub_path("hf:me/model/m.gguf")
    assert said in str(raised.value)
    assert raised.value.hint
    assert TOKEN not in str(raised.value)
    assert raised.value.__cause__ is None
