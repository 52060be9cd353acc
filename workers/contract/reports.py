"""What only the host can know: its cards, its engines, its models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from search_spaces.candidate import Candidate, digest
from workers.contract.model_header import ModelHeader


class RigKind(StrEnum):
    """What a rig computes on."""

    CPU = "cpu"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU as NVML describes it. Memory in MiB, power limit in watts (None: not told)."""

    index: int
    name: str
    uuid: str
    memory_mib: int
    pci_bus_id: str = ""
    power_limit_w: float | None = None
    display_attached: bool = False


@dataclass(frozen=True, slots=True)
class RigReport:
    """One rig: what one job occupies. `threads` is how many CPU threads an engine may use.

    `split_mode` and `tensor_split` are how its cards share a model unless a candidate says so.
    `machine` is set where several hosts of a fleet are one machine: its cores are then shared.
    """

    name: str
    kind: RigKind
    host: str
    cpu_model: str
    cores: int
    threads: int
    memory_mib: int
    os: str
    cards: tuple[Card, ...] = ()
    driver: str = ""
    simulated: bool = False
    split_mode: str | None = None
    tensor_split: str | None = None
    machine: str = ""

    @property
    def cores_of(self) -> str:
        """Equal for rigs whose engines use the same cores."""
        return self.machine or self.host

    @property
    def hardware_key(self) -> str:
        """Equal for rigs whose speeds can stand for one another: cards, limits, driver, CPU.

        A split is part of what is launched, and so of a launch's key, not of this one.
        """
        cards = sorted((c.name, c.memory_mib, c.power_limit_w or 0.0) for c in self.cards)
        return digest([self.kind, cards, self.driver, self.cpu_model, self.threads])

    def placed(self, candidate: Candidate) -> Candidate:
        """The candidate with this rig's split, where the candidate does not set its own."""
        if len(self.cards) < 2:
            return candidate
        return replace(
            candidate,
            split_mode=candidate.split_mode or self.split_mode,
            tensor_split=candidate.tensor_split or self.tensor_split,
        )

    @property
    def vram_mib(self) -> int:
        """Memory an engine may fill: the cards' sum, or the host's on a CPU rig."""
        return sum(card.memory_mib for card in self.cards) or self.memory_mib


@dataclass(frozen=True, slots=True)
class Build:
    """One binary that makes numbers. `role` is server or logits (perplexity, KLD)."""

    role: str
    label: str
    sha256: str
    path: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a build can do, as probing found it.

    `flags` maps our name of a setting (n_max, kv_k, ...) to the build's spelling of its flag;
    `dialect` names the table that was chosen by what the help text says.
    """

    dialect: str
    kv_types: tuple[str, ...]
    draft_kv_types: tuple[str, ...]
    spec_types: tuple[str, ...]
    flags: dict[str, str] = field(default_factory=dict)
    devices: tuple[str, ...] = ()
    fa_pairs: tuple[str, ...] | None = None  # None: not told; ("all",): every pair
    per_request_n_max: bool = False
    controller: bool = False
    metrics: bool = False
    combines_specs: bool = False
    draft_ctx: int | None = None  # tokens that a DFlash drafter keeps; None: the target's context
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineReport:
    """An engine as found on one host. `problem` says why it cannot be used there, if so."""

    name: str
    kind: str
    builds: tuple[Build, ...] = ()
    capabilities: Capabilities | None = None
    problem: str | None = None
    warnings: tuple[str, ...] = ()

    def build(self, role: str) -> Build | None:
        """The build in a role."""
        return next((build for build in self.builds if build.role == role), None)


@dataclass(frozen=True, slots=True)
class ModelReport:
    """A model reference as found on one host. Size in bytes.

    `header` holds GGUF facts for people; `gguf` the whole of what planning needs.
    """

    reference: str
    path: str = ""
    size: int = 0
    sha256: str = ""
    header: dict[str, str | int | float | bool] = field(default_factory=dict)
    gguf: ModelHeader | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class PairReport:
    """A target and a drafter that cannot work together, and why."""

    model: str
    drafter: str
    problem: str


@dataclass(frozen=True, slots=True)
class HostReport:
    """Everything one host reports before a sweep is planned.

    `contents` maps the recipe's text names (suite, corpus) to their content hashes;
    `cards_in_use` are the UUIDs of cards on which something computed when it was looked.
    """

    host: str
    rigs: tuple[RigReport, ...]
    engines: tuple[EngineReport, ...] = ()
    models: tuple[ModelReport, ...] = ()
    bad_pairs: tuple[PairReport, ...] = ()
    contents: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    cards_in_use: tuple[str, ...] = ()

    def engine(self, name: str) -> EngineReport | None:
        """The report of an engine by its name in the space."""
        return next((engine for engine in self.engines if engine.name == name), None)

    def model(self, reference: str | None) -> ModelReport | None:
        """The report of a model by its reference."""
        return next((model for model in self.models if model.reference == reference), None)
