"""The same files always become the same bytes: no times, no owners, one order."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping

from orchestrator.analysis.sharing.format import BundleError

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows


Packer = Callable[[Mapping[str, bytes]], bytes]


def packer(name: str) -> Packer:
    """What packs files as the name of the archive says.

    Raises BundleError for a name that is neither .tar.gz nor .zip.
    """
    for suffix, pack in _PACKERS.items():
        if name.endswith(suffix):
            return pack
    raise BundleError(f"{name} names no kind of archive.", f"End it in {' or '.join(_PACKERS)}.")


def archive(name: str, folder: str, files: Mapping[str, bytes]) -> bytes:
    """The files below a folder, packed as the name of the archive says. Raises BundleError."""
    return packer(name)({f"{folder}/{path}": files[path] for path in sorted(files)})


def _mode(path: str) -> int:
    return 0o755 if path.endswith(".sh") else 0o644


def _tar_gz(files: Mapping[str, bytes]) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in files.items():
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(data), _mode(path)
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=0)


def _zip(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system, info.external_attr = 3, (0o100000 | _mode(path)) << 16
            archive.writestr(info, data)
    return packed.getvalue()


_PACKERS: dict[str, Packer] = {
    ".tar.gz": _tar_gz,
    ".tgz": _tar_gz,
    ".zip": _zip,
}
