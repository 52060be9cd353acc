"""Everything this project asks NVML, the library behind nvidia-smi; no other file calls it.

Consumer cards, laptops, WSL and data-centre cards each leave some queries unanswered. Such a
query gives None and is named once, with the driver's word for it; it never stops a measurement.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from workers.contract.reports import Card
from workers.gpu.combine import combine
from workers.gpu.process_tree import ProcessTree
from workers.gpu.reader import ProcessMemory, Reading

_MIB = 1024.0 * 1024.0
_SLOW_EVERY_S = 1.0  # a PCIe query blocks for 20 ms, and its figure is a mean over them

# Bits of nvmlDeviceGetCurrentClocksEventReasons (nvml.h, stable since 2012; "event" in the
# names was "throttle" before driver 535).
THROTTLE_BITS = {
    0x001: "gpu_idle",
    0x002: "applications_clocks",
    0x004: "sw_power_cap",
    0x008: "hw_slowdown",
    0x010: "sync_boost",
    0x020: "sw_thermal",
    0x040: "hw_thermal",
    0x080: "hw_power_brake",
    0x100: "display_clocks",
    0x200: "board_limit",
    0x400: "reliability",
}


@dataclass(frozen=True, slots=True)
class Inventory:
    """The cards of this host; `problem` says in words why there are none, if so."""

    cards: tuple[Card, ...] = ()
    driver: str = ""
    problem: str | None = None


def inventory(api: Any = None) -> Inventory:
    """What NVML knows of this host's cards. Never raises: no driver is an answer, too."""
    api = _library() if api is None else api
    try:
        api.nvmlInit()
    except api.NVMLError as error:
        return Inventory(problem=f"no NVIDIA driver: {_words(error)}")
    try:
        driver = _text(api.nvmlSystemGetDriverVersion())
        cards = tuple(_card(api, index) for index in range(api.nvmlDeviceGetCount()))
    except api.NVMLError as error:
        return Inventory(problem=f"the NVIDIA driver does not list its cards: {_words(error)}")
    finally:
        api.nvmlShutdown()
    return Inventory(cards, driver, None if cards else "the NVIDIA driver knows no card")


class NvmlReader:
    """Reads the cards with these UUIDs. `pid` is the engine's, for its own share of memory.

    Raises LookupError where NVML does not start or a card is gone: the caller has leased it.
    """

    name = "nvml"

    def __init__(self, uuids: Sequence[str], pid: int | None = None, api: Any = None) -> None:
        self._api = _library() if api is None else api
        self._unsupported: dict[str, str] = {}
        self._tree = ProcessTree(pid) if pid is not None else None
        self._slow_at = float("-inf")
        self._open = False
        try:
            self._api.nvmlInit()
            self._open = True
            self._cards = [self._api.nvmlDeviceGetHandleByUUID(uuid) for uuid in uuids]
        except self._api.NVMLError as error:
            self.close()
            raise LookupError(f"NVML has no card {', '.join(uuids)}: {_words(error)}") from None

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The unanswered queries, as `query: the driver's word`."""
        return tuple(f"{query}: {why}" for query, why in self._unsupported.items())

    @property
    def throttle_reasons(self) -> tuple[str, ...]:
        """All reasons NVML can give."""
        return tuple(THROTTLE_BITS.values())

    def read(self) -> Reading:
        """Sums over the cards; PCIe traffic and processes once a second only."""
        now = time.monotonic()
        slow = now - self._slow_at >= _SLOW_EVERY_S
        if slow:
            self._slow_at = now
        return combine([self._read_card(card, slow) for card in self._cards])

    def close(self) -> None:
        """Shuts NVML down; it counts its users, so others of this process are not disturbed."""
        if self._open:
            self._open = False
            self._api.nvmlShutdown()

    def _read_card(self, card: Any, slow: bool) -> Reading:
        api = self._api
        memory = self._ask("nvmlDeviceGetMemoryInfo", card)
        rx = tx = None
        processes: tuple[ProcessMemory, ...] = ()
        if slow:
            rx = self._ask("nvmlDeviceGetPcieThroughput", card, api.NVML_PCIE_UTIL_RX_BYTES)
            tx = self._ask("nvmlDeviceGetPcieThroughput", card, api.NVML_PCIE_UTIL_TX_BYTES)
            running = self._ask("nvmlDeviceGetComputeRunningProcesses", card) or ()
            processes = tuple(_process(entry) for entry in running)
        reasons = self._ask_any(
            ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"),
            card,
        )
        return Reading(
            mem_used_mib=_scaled(getattr(memory, "used", None), _MIB),
            mem_total_mib=_scaled(getattr(memory, "total", None), _MIB),
            mem_engine_mib=self._engine_share(processes),
            power_w=_scaled(self._ask("nvmlDeviceGetPowerUsage", card), 1000.0),
            energy_j=_scaled(self._ask("nvmlDeviceGetTotalEnergyConsumption", card), 1000.0),
            temperature_c=_scaled(
                self._ask("nvmlDeviceGetTemperature", card, api.NVML_TEMPERATURE_GPU), 1.0
            ),
            sm_clock_mhz=_scaled(self._ask("nvmlDeviceGetClockInfo", card, api.NVML_CLOCK_SM), 1.0),
            mem_clock_mhz=_scaled(
                self._ask("nvmlDeviceGetClockInfo", card, api.NVML_CLOCK_MEM), 1.0
            ),
            throttle=None if reasons is None else throttle_names(int(reasons)),
            pcie_rx_mib_s=_scaled(rx, 1024.0),
            pcie_tx_mib_s=_scaled(tx, 1024.0),
            processes=processes,
        )

    def _engine_share(self, processes: Iterable[ProcessMemory]) -> float | None:
        """MiB of the engine's processes; None where no process of it is known with a figure.

        In a container the driver may name pids of the host, which are then nobody of ours.
        """
        if self._tree is None:
            return None
        pids = self._tree.pids()
        ours = [p.mib for p in processes if p.pid in pids and p.mib is not None]
        return sum(ours) if ours else None

    def _ask(self, query: str, *arguments: Any) -> Any:
        return self._ask_any((query,), *arguments)

    def _ask_any(self, queries: Sequence[str], *arguments: Any) -> Any:
        """The answer to a query by the first of its spellings that library and driver know."""
        why = "not in this NVML library"
        for query in queries:
            ask: Callable[..., Any] | None = getattr(self._api, query, None)
            if ask is None:
                continue
            try:
                return ask(*arguments)
            except self._api.NVMLError as error:
                why = _words(error)  # an older driver lacks what the library has a name for
        self._unsupported.setdefault(queries[0], why)
        return None


def throttle_names(bits: int) -> frozenset[str]:
    """The reasons in a bit mask; bits of later drivers are named by their value."""
    known = {name for bit, name in THROTTLE_BITS.items() if bits & bit}
    later = bits & ~sum(THROTTLE_BITS)
    return frozenset(known | ({f"bit_{later:#x}"} if later else set()))


def _card(api: Any, index: int) -> Card:
    handle = api.nvmlDeviceGetHandleByIndex(index)

    def told(query: str) -> Any:
        try:
            return getattr(api, query)(handle)
        except api.NVMLError:
            return None  # the field says itself that it is not told

    memory, limit = told("nvmlDeviceGetMemoryInfo"), told("nvmlDeviceGetEnforcedPowerLimit")
    pci = told("nvmlDeviceGetPciInfo")
    return Card(
        index=index,
        name=_text(api.nvmlDeviceGetName(handle)),
        uuid=_text(api.nvmlDeviceGetUUID(handle)),
        memory_mib=int(memory.total / _MIB) if memory is not None else 0,
        pci_bus_id=_text(pci.busId) if pci is not None else "",
        power_limit_w=_scaled(limit, 1000.0),
        display_attached=bool(told("nvmlDeviceGetDisplayActive")),
    )


def _process(entry: Any) -> ProcessMemory:
    used = entry.usedGpuMemory
    return ProcessMemory(int(entry.pid), None if used is None else float(used) / _MIB)


def _scaled(value: Any, unit: float) -> float | None:
    return None if value is None else float(value) / unit


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _library() -> ModuleType:
    import pynvml

    library: ModuleType = pynvml
    return library
