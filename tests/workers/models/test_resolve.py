"""References lead to files, or to one sentence that says what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gguf_writer import write_gguf
from tests.support.models import test_drafter as drafter
from workers.models.builtin import BUILTIN_MODELS
from workers.models.errors import ModelError
from workers.models.resolve import report, resolve


def test_a_path_is_itself(tmp_path: Path) -> None:
    assert resolve(str(write_gguf(tmp_path / "m.gguf"))) == tmp_path / "m.gguf"


def test_a_path_may_start_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_gguf(tmp_path / "m.gguf")
    assert resolve("~/m.gguf") == tmp_path / "m.gguf"


def test_a_misspelt_file_is_told_its_neighbour(tmp_path: Path) -> None:
    write_gguf(tmp_path / "model-Q4_K_M.gguf")
    with pytest.raises(ModelError, match=r"Did you mean 'model-Q4_K_M\.gguf'"):
        resolve(str(tmp_path / "model-Q4_KM.gguf"))


def test_a_directory_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is a directory"):
        resolve(str(tmp_path))


def test_a_misspelt_builtin_is_told_the_nearest() -> None:
    with pytest.raises(ModelError, match="Did you mean 'smollm2-135m-Q8_0'"):
        resolve("builtin:smollm2-135m-Q8")


def test_the_builtin_drafter_comes_with_the_package() -> None:
    found = report("builtin:smollm2-135m-dflash-Q8_0")
    assert found.problem is None
    assert found.size == 14_834_688
    assert found.header["architecture"] == "dflash"
    assert found.header["block_size"] == 8
    assert found.header["is_dflash2"] is False


def test_every_builtin_model_says_where_it_is_from() -> None:
    assert all(source.about for source in BUILTIN_MODELS.values())
    assert "loss" in BUILTIN_MODELS["smollm2-135m-Q8_0"].about


@pytest.mark.parametrize("name", ["dflash-Q4_0", "dflash2-identity-Q8_0"])
def test_the_drafters_for_tests_are_what_their_names_say(name: str) -> None:
    found = report(str(drafter(name)))
    assert found.problem is None
    assert found.header["is_dflash2"] is ("dflash2" in name)


def test_a_report_has_flat_facts(tmp_path: Path) -> None:
    found = report(str(write_gguf(tmp_path / "m.gguf", n_ctx_train=8192)))
    assert found.problem is None
    assert len(found.sha256) == 64
    assert found.header["n_ctx_train"] == 8192
    assert all(isinstance(value, str | int | float | bool) for value in found.header.values())


@pytest.mark.parametrize("content", [b"", b"not a model", b"GGUF\x03\x00\x00\x00"])
def test_a_report_of_a_broken_file_has_a_problem_and_no_exception(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "m.gguf").write_bytes(content)
    assert str(tmp_path / "m.gguf") in str(report(str(tmp_path / "m.gguf")).problem)


@pytest.mark.parametrize("reference", ["/no/such.gguf", "builtin:none", "hf:nobody", "", "\x00"])
def test_a_report_of_nothing_has_a_problem_and_no_exception(reference: str) -> None:
    assert report(reference).problem
