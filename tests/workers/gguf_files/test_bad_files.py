"""Whatever no engine would load ends in one sentence with a next step."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.gguf_writer import write_gguf
from workers.contract.model_header import ModelHeader
from workers.gguf_files.errors import BadModelFile
from workers.gguf_files.header import read_header


def fault(path: Path) -> BadModelFile:
    """The error of reading a file; it names the file and says what to do."""
    with pytest.raises(BadModelFile) as caught:
        read_header(path)
    assert str(caught.value.path) in caught.value.message
    assert caught.value.hint.endswith((".", ".gguf"))
    return caught.value


def test_a_missing_file(tmp_path: Path) -> None:
    assert "does not exist" in fault(tmp_path / "nowhere.gguf").message


def test_a_directory(tmp_path: Path) -> None:
    assert "is a directory" in fault(tmp_path).message


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.gguf"
    path.touch()
    assert "is empty" in fault(path).message


@pytest.mark.parametrize("content", [b"PK\x03\x04 a zip", b"<html>404</html>", b"GG"])
def test_a_file_that_is_no_gguf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "page.gguf"
    path.write_bytes(content)
    assert "is not a GGUF file" in fault(path).message


def test_a_download_that_stopped(model: Path) -> None:
    with model.open("r+b") as file:
        file.truncate(model.stat().st_size - 100)
    assert "is truncated" in fault(model).message


def test_a_big_endian_file(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf", big_endian=True)
    assert "big-endian" in fault(path).message


def test_an_image_projector(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "mmproj.gguf", "clip")
    assert "projector" in fault(path).message


def test_a_number_that_is_text(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf", keys={"attention.key_length": "wide"})
    assert "'wide' where 'llama.attention.key_length' should be a number" in fault(path).message


def test_heads_for_another_number_of_layers(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf", n_layer=3, n_head_kv=[2, 2])
    assert "2 values" in fault(path).message


class TestSplitModels:
    def part(self, folder: Path, number: int, n_tensors: int = 2) -> Path:
        keys = {"split.count": 3, "split.no": number - 1, "split.tensors.count": n_tensors}
        tensors = {f"blk.{number - 1}.attn_q.weight": (64, 64)}
        return write_gguf(folder / f"m-{number:05d}-of-00003.gguf", keys=keys, tensors=tensors)

    def test_a_missing_part_is_named(self, tmp_path: Path) -> None:
        first = self.part(tmp_path, 1)
        self.part(tmp_path, 2)
        error = fault(first)
        assert error.path.name == "m-00003-of-00003.gguf"
        assert "needs all 3 parts" in error.message

    def test_a_later_part_points_to_the_first(self, tmp_path: Path) -> None:
        error = fault(self.part(tmp_path, 2))
        assert "m-00001-of-00003.gguf" in error.hint

    def test_a_truncated_part_is_named(self, tmp_path: Path) -> None:
        parts = [self.part(tmp_path, number) for number in (1, 2, 3)]
        with parts[1].open("r+b") as file:
            file.truncate(parts[1].stat().st_size - 1)
        assert fault(parts[0]).path == parts[1]

    def test_parts_of_different_models(self, tmp_path: Path) -> None:
        first, *_ = [self.part(tmp_path, number, n_tensors=99) for number in (1, 2, 3)]
        assert "different models" in fault(first).hint

    def test_a_renamed_part(self, tmp_path: Path) -> None:
        renamed = self.part(tmp_path, 1).rename(tmp_path / "model.gguf")
        assert "-00001-of-00003.gguf" in fault(renamed).hint


def test_the_error_survives_the_way_between_processes(tmp_path: Path) -> None:
    error = fault(tmp_path / "nowhere.gguf")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.path, copy.hint) == (str(error), error.path, error.hint)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("small")
    keys = {"attention.sliding_window": 64, "general.file_type": 0}
    path = write_gguf(folder / "small.gguf", "gpt-oss", n_embd=8, keys=keys)
    return folder / "broken.gguf", path.read_bytes()


def read_or_refuse(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        assert isinstance(read_header(path), ModelHeader)
    except BadModelFile as error:
        assert error.message
        assert error.hint


@settings(max_examples=300, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_cut_anywhere_it_is_read_or_refused(small: tuple[Path, bytes], share: float) -> None:
    path, content = small
    read_or_refuse(path, content[: int(share * len(content))])


@settings(max_examples=500, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True), garbage=st.binary(min_size=1, max_size=9))
def test_corrupt_anywhere_it_is_read_or_refused(
    small: tuple[Path, bytes], share: float, garbage: bytes
) -> None:
    path, content = small
    at = int(share * len(content))
    read_or_refuse(path, content[:at] + garbage + content[at + len(garbage) :])


def test_every_single_cut_of_the_header_is_refused(small: tuple[Path, bytes]) -> None:
    path, content = small
    for length in range(1, content.index(b"blk.1.attn_q.weight")):
        path.write_bytes(content[:length])
        with pytest.raises(BadModelFile):
            read_header(path)
