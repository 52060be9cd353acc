"""A stand-in for the pynvml module: as many cards as a test needs, with some queries unanswered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

MIB = 1024 * 1024


class NVMLError(Exception):
    """Raised by a query that is not answered."""


@dataclass
class FakeCard:
    """One card: each value as NVML gives it (bytes, mW, mJ, KB/s, degrees, MHz, bits)."""

    name: str = "NVIDIA GeForce RTX 5090"
    uuid: str = "GPU-0"
    memory: tuple[int, int] = (1000 * MIB, 32_000 * MIB)  # used, total
    power_mw: int = 250_000
    energy_mj: int = 5_000_000
    celsius: int = 60
    sm_mhz: int = 2400
    mem_mhz: int = 14_000
    reasons: int = 0
    rx_kb: int = 2048
    tx_kb: int = 1024
    processes: Sequence[tuple[int, int | None]] = ()
    display: bool = False
    limit_mw: int = 575_000
    unanswered: Mapping[str, str] = field(default_factory=dict)  # query -> the driver's word


class FakeNvml:
    """The functions and constants that `workers.gpu.nvml` uses."""

    NVMLError = NVMLError
    NVML_PCIE_UTIL_TX_BYTES, NVML_PCIE_UTIL_RX_BYTES = 0, 1
    NVML_TEMPERATURE_GPU = 0
    NVML_CLOCK_SM, NVML_CLOCK_MEM = 1, 2

    def __init__(self, *cards: FakeCard, driver: str = "580.95", problem: str = "") -> None:
        self.cards, self.driver, self.problem = cards, driver, problem
        self.open = 0
        self.asked: list[str] = []

    def nvmlInit(self) -> None:  # noqa: N802
        if self.problem:
            raise NVMLError(self.problem)
        self.open += 1

    def nvmlShutdown(self) -> None:  # noqa: N802
        self.open -= 1

    def nvmlSystemGetDriverVersion(self) -> str:  # noqa: N802
        return self.driver

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> FakeCard:  # noqa: N802
        return self.cards[index]

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> FakeCard:  # noqa: N802
        for card in self.cards:
            if card.uuid == uuid:
                return card
        raise NVMLError("Not Found")

    def __getattr__(self, query: str) -> Any:
        """The queries of one card, by their NVML names."""
        answers: dict[str, Callable[..., Any]] = {
            "nvmlDeviceGetName": lambda c: c.name,
            "nvmlDeviceGetUUID": lambda c: c.uuid.encode(),
            "nvmlDeviceGetMemoryInfo": lambda c: SimpleNamespace(
                used=c.memory[0], total=c.memory[1]
            ),
            "nvmlDeviceGetPowerUsage": lambda c: c.power_mw,
            "nvmlDeviceGetEnforcedPowerLimit": lambda c: c.limit_mw,
            "nvmlDeviceGetTotalEnergyConsumption": lambda c: c.energy_mj,
            "nvmlDeviceGetTemperature": lambda c, _sensor: c.celsius,
            "nvmlDeviceGetClockInfo": lambda c, kind: c.sm_mhz if kind == 1 else c.mem_mhz,
            "nvmlDeviceGetCurrentClocksThrottleReasons": lambda c: c.reasons,
            "nvmlDeviceGetPcieThroughput": lambda c, way: c.rx_kb if way == 1 else c.tx_kb,
            "nvmlDeviceGetPciInfo": lambda _c: SimpleNamespace(busId="00000000:01:00.0"),
            "nvmlDeviceGetDisplayActive": lambda c: int(c.display),
            "nvmlDeviceGetComputeRunningProcesses": lambda c: [
                SimpleNamespace(pid=pid, usedGpuMemory=used) for pid, used in c.processes
            ],
        }
        if query not in answers:
            raise AttributeError(query)

        def ask(card: FakeCard, *arguments: Any) -> Any:
            self.asked.append(query)
            if query in card.unanswered:
                raise NVMLError(card.unanswered[query])
            return answers[query](card, *arguments)

        return ask
