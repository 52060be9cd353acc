"""Whatever somebody sends: read within limits, or refused in one sentence; never unpacked."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.analysis.sharing import archive_reading
from orchestrator.analysis.sharing.format import BundleError
from orchestrator.analysis.sharing.reading import read_bundle
from tests.orchestrator.analysis.sharing.bundles import bundle, edited, tampered, tar_of


def info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


@pytest.mark.parametrize(
    "name", ["../evil", "kv/../../evil", "/etc/evil", "kv\\evil", "C:/evil", "evil"]
)
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / "evil"
    if kind == "tar":
        tar_of(path, {info(name): b"x"})
    else:
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr(zipfile.ZipInfo(name), b"x")
    with pytest.raises(BundleError, match="the archive holds"):
        read_bundle(path)
    assert [found.name for found in tmp_path.iterdir()] == ["evil"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = tar_of(tmp_path / "evil", {info("kv/manifest.json", kind, "/etc/passwd"): b""})
    with pytest.raises(BundleError, match="no plain file"):
        read_bundle(path)


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil"
    with zipfile.ZipFile(path, "w") as packed:
        member = zipfile.ZipInfo("kv/manifest.json")
        member.create_system, member.external_attr = 3, 0o120777 << 16
        packed.writestr(member, "/etc/passwd")
    with pytest.raises(BundleError, match="no plain file"):
        read_bundle(path)


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a bomb need not be large to be one."""
    monkeypatch.setattr(archive_reading, "MOST_IN_A_FILE", 1024)
    monkeypatch.setattr(archive_reading, "MOST_IN_ALL", 4096)
    monkeypatch.setattr(archive_reading, "MOST_FILES", 20)


@pytest.mark.parametrize(
    "sizes", [[2000], [900] * 6, [0] * 30], ids=["one file", "in all", "files"]
)
@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.usefixtures("small_limits")
def test_more_than_the_limits_is_refused(tmp_path: Path, sizes: list[int], kind: str) -> None:
    path = tmp_path / "bomb"
    if kind == "tar":
        tar_of(path, {info(f"kv/{i}"): bytes(size) for i, size in enumerate(sizes)})
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for i, size in enumerate(sizes):
                packed.writestr(f"kv/{i}", bytes(size))
    with pytest.raises(BundleError, match="unpacks to more than"):
        read_bundle(path)


@pytest.mark.usefixtures("small_limits")
def test_a_bomb_in_a_tar_header_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    extension = info("kv/x", tarfile.XHDTYPE)
    path = tar_of(tmp_path / "bomb", {extension: bytes(10_000_000)})
    with pytest.raises(BundleError, match="unpacks to more than"):
        read_bundle(path)


def test_a_zip_that_lies_about_a_size_is_refused(tmp_path: Path) -> None:
    path = bundle(tmp_path, "a.zip")
    data = bytearray(path.read_bytes())
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = (7).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(BundleError):
        read_bundle(path)


def drop(files: dict[str, bytes]) -> None:
    del files["samples.csv"]


def add(files: dict[str, bytes]) -> None:
    files["extra.py"] = b"print()"


def touch(files: dict[str, bytes]) -> None:
    files["sweep.json"] += b" "


def newer(files: dict[str, bytes]) -> None:
    edited(files, "manifest.json", lambda data: data.update(format=2))


def other(files: dict[str, bytes]) -> None:
    edited(files, "manifest.json", lambda data: data.update(kind="a cat"))


def half(files: dict[str, bytes]) -> None:
    files["manifest.json"] = files["manifest.json"][:40]


def deep(files: dict[str, bytes]) -> None:
    files["manifest.json"] = b"[" * 200_000


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (drop, "lacks 'samples.csv', which its manifest lists"),
        (add, "holds 'extra.py', which its manifest does not list"),
        (touch, "'sweep.json' in t.zip is not what its manifest says"),
        (
            newer,
            "is a bundle of format 2, and this orchestrate reads format 1. Upgrade orchestrate.",
        ),
        (other, "is no bundle of orchestrate"),
        (half, "holds JSON that cannot be read"),
        (deep, "holds JSON that cannot be read"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_was_tampered_with_is_refused(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], says: str
) -> None:
    path = tampered(bundle(tmp_path), change)
    with pytest.raises(BundleError) as caught:
        read_bundle(path)
    assert says in str(caught.value)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data(), st.sampled_from(["a.tar.gz", "a.zip"]))
def test_any_damage_is_refused_in_one_sentence(
    tmp_path: Path, data: st.DataObject, name: str
) -> None:
    whole = bundle(tmp_path, name).read_bytes()
    place = data.draw(st.integers(4, len(whole) - 1))
    cut = data.draw(st.booleans())
    flipped = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
    path = tmp_path / f"damaged-{name}"
    path.write_bytes(whole[:place] if cut else flipped)
    try:
        read_bundle(path)  # damage to a header that nobody reads does no harm
    except BundleError as error:
        assert str(error)


def test_an_archive_of_something_else_is_no_bundle(tmp_path: Path) -> None:
    path = tar_of(tmp_path / "other", {info("pkg/setup.py"): b"import os"})
    with pytest.raises(BundleError, match="is no bundle of orchestrate"):
        read_bundle(path)


def test_a_gzip_of_no_tar_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd"
    path.write_bytes(gzip.compress(json.dumps([1]).encode()))
    with pytest.raises(BundleError, match="cannot be unpacked"):
        read_bundle(path)


def test_a_locked_zip_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr("kv/manifest.json", b"{}")
    raw = bytearray(data.getvalue())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + at] |= 1
    path = tmp_path / "locked.zip"
    path.write_bytes(raw)
    with pytest.raises(BundleError, match="cannot be unpacked"):
        read_bundle(path)
