"""A rig's level before a launch, and several launches' telemetry as one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.facets.bench import CPU, GPU
from workers.contract.failure import FailureKind, Phase
from workers.contract.outcome import Sample
from workers.engines.base import EngineError
from workers.facets import telemetry
from workers.facets.telemetry import Level, over_launches, with_energy
from workers.gpu.reader import Reading
from workers.gpu.scripted import ScriptedReader
from workers.gpu.settle import settle

Using = Callable[..., list[ScriptedReader]]


@pytest.fixture
def using(monkeypatch: pytest.MonkeyPatch) -> Using:
    """Each time the rig is looked at, its memory in use goes through one of these courses."""

    def plan(*courses: list[float | None]) -> list[ScriptedReader]:
        readers = [ScriptedReader([Reading(mem_used_mib=mib) for mib in one]) for one in courses]
        waiting = iter(readers)
        monkeypatch.setattr(telemetry, "reader_for", lambda rig, pid: next(waiting))
        clock = iter(range(10_000))
        monkeypatch.setattr(
            telemetry,
            "settle",
            lambda reader, level, rig: settle(
                reader,
                level,
                rig=rig,
                clock=lambda: float(next(clock)),
                sleep=lambda seconds: None,
            ),
        )
        return readers

    return plan


def test_the_first_look_says_what_the_level_is(using: Using) -> None:
    using([500.0])

    assert Level(GPU).settled_mib() == 500.0


def test_a_later_launch_waits_until_the_last_engines_memory_is_back(using: Using) -> None:
    readers = using([500.0], [9000.0, 4000.0, 510.0])
    level = Level(GPU)

    before = [level.settled_mib(), level.settled_mib()]

    assert before == [500.0, 510.0]
    assert readers[1].taken == 3


def test_a_card_that_stays_full_is_occupied_and_nobody_is_blamed(using: Using) -> None:
    using([500.0], [9000.0])
    level = Level(GPU)
    level.settled_mib()

    with pytest.raises(EngineError) as raised:
        level.settled_mib()

    found = raised.value.diagnosis
    assert (found.kind, raised.value.phase) == (FailureKind.RIG_OCCUPIED, Phase.LOAD)
    assert "8500 MiB more" in found.evidence
    assert not found.deterministic


def test_the_level_does_not_follow_memory_that_others_take(using: Using) -> None:
    using([500.0], [550.0], [600.0])
    level = Level(GPU)
    level.settled_mib()
    level.settled_mib()

    with pytest.raises(EngineError):  # 100 MiB above the first look, 50 above the second
        level.settled_mib()


def test_every_reader_is_closed(using: Using) -> None:
    readers = using([500.0], [9000.0])
    level = Level(GPU)
    level.settled_mib()
    with pytest.raises(EngineError):
        level.settled_mib()

    assert all(reader.closed for reader in readers)


def test_a_rig_that_does_not_tell_its_memory_is_not_waited_for(using: Using) -> None:
    using([None], [None])
    level = Level(GPU)

    assert [level.settled_mib(), level.settled_mib()] == [0.0, 0.0]


def test_a_cpu_rig_is_not_looked_at(using: Using) -> None:
    using()

    assert Level(CPU).settled_mib() == 0.0


def sample(launch: int, wall_ms: float) -> Sample:
    return Sample("p", {"predicted_n": 8.0, "wall_ms": wall_ms}, launch)


def test_energy_adds_up_memory_is_the_most_and_the_rest_is_the_mean() -> None:
    first = {"energy_j": 10.0, "mem_peak_mib": 900.0, "power_w": 300.0, "temp_max_c": 60.0}
    second = {"energy_j": 30.0, "mem_peak_mib": 800.0, "power_w": 400.0, "temp_max_c": 70.0}

    assert over_launches([first, second]) == {
        "energy_j": 40.0,
        "mem_peak_mib": 900.0,
        "power_w": 350.0,
        "temp_max_c": 70.0,
    }


def test_a_throttled_share_is_averaged_over_launches() -> None:
    told = [{"throttle_hw_thermal": 0.5}, {"throttle_hw_thermal": 0.0}]

    assert over_launches(told) == {"throttle_hw_thermal": 0.25}


def test_a_launchs_energy_is_shared_out_by_time() -> None:
    samples = [sample(0, wall_ms=100.0), sample(0, wall_ms=300.0), sample(1, wall_ms=50.0)]
    shared = with_energy(samples, [{"energy_j": 40.0}, {"energy_j": 5.0}])

    assert [one.values["energy_j"] for one in shared] == [10.0, 30.0, 5.0]


def test_energy_that_a_launch_did_not_tell_is_not_made_up() -> None:
    samples = [sample(0, wall_ms=100.0), sample(1, wall_ms=100.0)]

    assert with_energy(samples, [{"energy_j": 40.0}, {"power_w": 300.0}]) == tuple(samples)


def test_nothing_told_is_nothing() -> None:
    assert over_launches([]) == {}


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["energy_j", "mem_peak_mib", "power_w", "samples"]),
            st.floats(0, 1e6),
            max_size=4,
        ),
        max_size=4,
    )
)
def test_what_one_launch_tells_is_within_what_all_told(launches: list[dict[str, float]]) -> None:
    merged = over_launches(launches)

    assert set(merged) == {name for launch in launches for name in launch}
    for name, value in merged.items():
        told = [launch[name] for launch in launches if name in launch]
        assert min(told) <= value * (1 + 1e-9)
        assert value <= sum(told) * (1 + 1e-9)
