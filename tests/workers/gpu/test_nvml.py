"""What is asked of NVML, and what becomes of the answers that do not come."""

from __future__ import annotations

import os

import pytest

from tests.workers.gpu.fake_nvml import MIB, FakeCard, FakeNvml
from workers.gpu.nvml import NvmlReader, inventory, throttle_names


def test_a_host_without_a_driver_is_an_answer_in_words() -> None:
    found = inventory(FakeNvml(problem="NVML Shared Library Not Found"))

    assert found.cards == ()
    assert found.problem == "no NVIDIA driver: NVML Shared Library Not Found"


def test_a_driver_without_cards_is_an_answer_in_words() -> None:
    assert inventory(FakeNvml()).problem == "the NVIDIA driver knows no card"


def test_a_card_is_described_in_our_units() -> None:
    [card] = inventory(FakeNvml(FakeCard(display=True))).cards

    assert (card.index, card.name, card.uuid) == (0, "NVIDIA GeForce RTX 5090", "GPU-0")
    assert (card.memory_mib, card.power_limit_w, card.display_attached) == (32_000, 575.0, True)
    assert card.pci_bus_id == "00000000:01:00.0"


def test_what_a_card_does_not_say_about_itself_is_left_open() -> None:
    silent = FakeCard(
        unanswered={
            "nvmlDeviceGetEnforcedPowerLimit": "Not Supported",
            "nvmlDeviceGetMemoryInfo": "Not Supported",
            "nvmlDeviceGetPciInfo": "Not Supported",
        }
    )

    [card] = inventory(FakeNvml(silent)).cards

    assert (card.power_limit_w, card.memory_mib, card.pci_bus_id) == (None, 0, "")


def test_nvml_is_closed_after_an_inventory() -> None:
    api = FakeNvml(FakeCard())

    inventory(api)

    assert api.open == 0


def test_a_reading_is_in_our_units() -> None:
    reading = NvmlReader(["GPU-0"], api=FakeNvml(FakeCard(reasons=0x44))).read()

    assert (reading.mem_used_mib, reading.mem_total_mib) == (1000.0, 32_000.0)
    assert (reading.power_w, reading.energy_j, reading.temperature_c) == (250.0, 5000.0, 60.0)
    assert (reading.sm_clock_mhz, reading.mem_clock_mhz) == (2400.0, 14_000.0)
    assert (reading.pcie_rx_mib_s, reading.pcie_tx_mib_s) == (2.0, 1.0)
    assert reading.throttle == frozenset({"sw_power_cap", "hw_thermal"})


def test_only_the_cards_of_the_rig_are_read() -> None:
    api = FakeNvml(FakeCard(), FakeCard(uuid="GPU-1", power_mw=10_000))

    assert NvmlReader(["GPU-1"], api=api).read().power_w == 10.0


def test_a_pair_is_read_as_one() -> None:
    api = FakeNvml(FakeCard(celsius=50), FakeCard(uuid="GPU-1", celsius=70, sm_mhz=1400))

    reading = NvmlReader(["GPU-0", "GPU-1"], api=api).read()

    assert (reading.mem_used_mib, reading.power_w) == (2000.0, 500.0)
    assert (reading.temperature_c, reading.sm_clock_mhz) == (70.0, 1900.0)


def test_an_unanswered_query_is_none_and_named_once_with_the_drivers_word() -> None:
    silent = FakeCard(unanswered={"nvmlDeviceGetTotalEnergyConsumption": "Not Supported"})
    reader = NvmlReader(["GPU-0"], api=FakeNvml(silent))

    readings = [reader.read() for _ in range(3)]

    assert [reading.energy_j for reading in readings] == [None] * 3
    assert reader.unsupported == ("nvmlDeviceGetTotalEnergyConsumption: Not Supported",)


def test_the_newer_name_of_a_query_that_the_driver_lacks_falls_back_to_the_older() -> None:
    reader = NvmlReader(["GPU-0"], api=FakeNvml(FakeCard(reasons=0x20)))

    assert reader.read().throttle == frozenset({"sw_thermal"})
    assert reader.unsupported == ()


def test_slow_queries_are_asked_once_a_second_only() -> None:
    api = FakeNvml(FakeCard())
    reader = NvmlReader(["GPU-0"], api=api)

    readings = [reader.read() for _ in range(3)]

    assert api.asked.count("nvmlDeviceGetPcieThroughput") == 2  # in and out, once
    assert [reading.pcie_rx_mib_s for reading in readings] == [2.0, None, None]


def test_the_engines_own_share_is_that_of_its_processes() -> None:
    card = FakeCard(processes=[(os.getpid(), 700 * MIB), (1, 90 * MIB)])

    reading = NvmlReader(["GPU-0"], os.getpid(), FakeNvml(card)).read()

    assert reading.mem_engine_mib == 700.0


@pytest.mark.parametrize(
    "processes",
    [[(999_999_999, 700 * MIB)], [(os.getpid(), None)], []],
    ids=["pids of the host, in a container", "WSL", "none"],
)
def test_a_share_that_is_not_known_is_not_made_up(processes: list[tuple[int, int | None]]) -> None:
    reader = NvmlReader(["GPU-0"], os.getpid(), FakeNvml(FakeCard(processes=processes)))

    assert reader.read().mem_engine_mib is None


def test_a_card_that_is_gone_is_said_in_words() -> None:
    api = FakeNvml(FakeCard())

    with pytest.raises(LookupError, match="NVML has no card GPU-9: Not Found"):
        NvmlReader(["GPU-9"], api=api)

    assert api.open == 0


def test_closing_twice_shuts_down_once() -> None:
    api = FakeNvml(FakeCard())
    reader = NvmlReader(["GPU-0"], api=api)

    reader.close()
    reader.close()

    assert api.open == 0


def test_a_reason_of_a_later_driver_is_named_by_its_bit() -> None:
    assert throttle_names(0x8000_0001) == {"gpu_idle", "bit_0x80000000"}


def test_the_real_library_answers_on_any_host() -> None:
    found = inventory()

    assert found.cards or found.problem
