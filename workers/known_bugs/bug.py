"""One known bug of an engine, as data: where it shows, what goes wrong, what to do."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from search_spaces.metrics import Facet
from workers.contract.reports import RigKind
from workers.known_bugs.builds import LEAST_BUILD, Release, release_of

FLAG = "known_bug:"  # what the flags on affected results begin with

Text = Annotated[str, Field(min_length=1)]
Build = Annotated[int, Field(strict=True, ge=LEAST_BUILD)]


class Severity(StrEnum):
    """`exclude`: it would fail, or measure something else. `warn`: know it when reading."""

    EXCLUDE = "exclude"
    WARN = "warn"


class Effect(StrEnum):
    """What goes wrong."""

    CRASH = "crash"
    LOAD_FAILURE = "load_failure"
    NO_DRAFTING = "no_drafting"
    NO_ACCEPTANCE = "no_acceptance"
    WRONG_ACCEPTANCE = "wrong_acceptance"
    LOW_ACCEPTANCE = "low_acceptance"
    CPU_FALLBACK = "cpu_fallback"
    SLOW = "slow"
    MEMORY = "memory"
    SETTING_IGNORED = "setting_ignored"
    OTHER_TYPE = "other_type"


class Strict(BaseModel):
    """Frozen; a misspelt key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Builds(Strict):
    """Build numbers, as far as they are known: before `first` and from `fixed` on all is well.

    `seen` is the last build on which it was seen, where no build is known to be without it:
    later ones may have it still. Between `seen` and `fixed` nobody looked. `commit` is the one
    that brought or mended it, for people whose build does not tell its number.
    """

    first: Build | None = None
    seen: Build | None = None
    fixed: Build | None = None
    commit: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> Builds:
        known = [n for n in (self.first, self.seen, self.fixed) if n is not None]
        if not known or known != sorted(set(known)):
            raise ValueError("give first, seen or fixed, in this order")
        return self


class Releases(Strict):
    """The same for forks that count releases (0.4.4): the first one that is well."""

    fixed: Text

    @model_validator(mode="after")
    def _is_a_release(self) -> Releases:
        if self.release is None:
            raise ValueError(f"{self.fixed!r} is no release like 0.4.4")
        return self

    @property
    def release(self) -> Release | None:
        """As numbers."""
        return release_of(self.fixed)


class Where(Strict):
    """The launches that show it; every condition given must hold.

    Lists are met by one of their entries: a kind in `spec`, a type of K or V in `kv`, the
    target's `architectures`. `kv_pair` is mixed or quantised (either half), `kv_except` lists
    pairs that are well. `kernel: missing` asks whether the build has a CUDA FlashAttention kernel
    for the pair. `memory` is what a target keeps beside full attention. `cards` is the least
    number of cards of the rig.
    """

    spec: tuple[Text, ...] = ()
    p_min: Literal["set", "unset"] | None = None
    kv: tuple[Text, ...] = ()
    kv_pair: Literal["mixed", "quantised"] | None = None
    kv_except: tuple[Text, ...] = ()
    kernel: Literal["missing"] | None = None
    draft_kv: Literal["quantised"] | None = None
    draft_device: Literal["set"] | None = None
    split_mode: tuple[Text, ...] = ()
    architectures: tuple[Text, ...] = ()
    memory: tuple[Literal["recurrent", "sliding_window"], ...] = ()
    dflash2: Literal[True] | None = None
    rig: RigKind | None = None
    cards: Annotated[int, Field(strict=True, ge=2)] | None = None


class KnownBug(Strict):
    """An entry of `workers/known_bugs/bugs/`; its file is called as its id.

    `dialects` are those of workers/dialects (empty: any); build numbers of different forks do
    not compare, so whoever gives them names its dialects. `affects` are the facets whose numbers
    are flagged.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: Text
    severity: Severity
    effect: Effect
    dialects: tuple[Text, ...] = ()
    builds: Builds | None = None
    releases: Releases | None = None
    where: Where
    affects: tuple[Facet, ...] = (Facet.THROUGHPUT,)
    source: Annotated[str, Field(pattern=r"^https://")]
    advice: Text

    @model_validator(mode="after")
    def _comparable(self) -> KnownBug:
        if (self.builds or self.releases) and not self.dialects:
            raise ValueError("builds and releases need dialects: forks count differently")
        if self.builds and self.releases:
            raise ValueError("give builds or releases, not both")
        return self

    @property
    def flag(self) -> str:
        """The flag on results of affected launches."""
        return FLAG + self.id

    @property
    def sentence(self) -> str:
        """What goes wrong, what to do, and who says so."""
        return f"{self.title}. {self.advice} See {self.source}"
