"""Checks of this machine: each fires on its fault and is content without it."""

from __future__ import annotations

import os
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.workers.gpu.fake_nvml import MIB, FakeCard, FakeNvml
from workers.contract.reports import EngineReport
from workers.doctor.finding import Finding, Severity, worst
from workers.doctor.host.base import Host
from workers.doctor.host.checks import card_users, engines, models_cache, processors, ray_ready
from workers.doctor.host.run import all_checks, examine
from workers.gpu.nvml import Inventory, inventory

Usage = namedtuple("Usage", "total used free")
NO_CARD = Inventory(problem="no NVIDIA driver: not found")


def check(name: str, host: Host) -> list[Finding]:
    return list(examine(host, [one for one in all_checks() if one.name == name]))


def quiet(tmp_path: Path, cards: Inventory = NO_CARD, **environment: str) -> Host:
    return Host(cards, environment=environment, root=tmp_path)


def severity(findings: list[Finding]) -> Severity:
    return worst(tuple(findings))


def test_a_machine_without_a_card_is_no_fault(tmp_path: Path) -> None:
    (found,) = check("cards", quiet(tmp_path))
    assert (found.severity, "the CPU is the rig" in found.evidence) == (Severity.INFO, True)


def test_a_hidden_card_is_a_warning(tmp_path: Path) -> None:
    cards = inventory(FakeNvml(FakeCard(), FakeCard(uuid="GPU-1")))
    assert severity(check("cards", quiet(tmp_path, cards))) is Severity.OK
    found = check("cards", quiet(tmp_path, cards, CUDA_VISIBLE_DEVICES="0"))
    assert "hides 1 of 2 cards" in found[-1].evidence


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        (FakeCard(memory=(300 * MIB, 32_000 * MIB)), Severity.OK),
        (FakeCard(memory=(9000 * MIB, 32_000 * MIB)), Severity.WARNING),
        (FakeCard(memory=(300 * MIB, 32_000 * MIB), processes=[(1, 300 * MIB)]), Severity.WARNING),
    ],
)
def test_who_else_is_on_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: FakeCard, wanted: Severity
) -> None:
    api = FakeNvml(card)
    monkeypatch.setattr("workers.gpu.nvml._library", lambda: api)
    found = check("card_users", quiet(tmp_path, inventory(api)))
    assert severity(found) is wanted
    assert api.open == 0
    assert card_users.CHECK.name == found[0].rule


def test_a_card_that_is_gone_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.gpu.nvml._library", lambda: FakeNvml())
    (found,) = check("card_users", quiet(tmp_path, inventory(FakeNvml(FakeCard()))))
    assert (found.severity, "could not be looked at" in found.evidence) == (Severity.WARNING, True)


def test_settings_that_nobody_typed(tmp_path: Path) -> None:
    assert severity(check("engine_config", quiet(tmp_path, HOME="/home/me"))) is Severity.OK
    for folder in ("etc/llama.cpp", "home/me/.config/llama.cpp"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "config.ini").touch()
    found = check("engine_config", quiet(tmp_path, HOME="/home/me", LLAMA_ARG_CTX_SIZE="9"))
    assert [one.severity for one in found] == [Severity.WARNING, Severity.INFO, Severity.INFO]
    assert "LLAMA_ARG_CTX_SIZE" in found[-1].evidence


def test_a_neighbour_and_a_cgroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "cpu_quota", lambda root: 0.5)
    monkeypatch.setattr(processors, "memory_mib", lambda root: 512)
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval: 55.0)
    found = check("processors", quiet(tmp_path))
    assert [one.severity for one in found[1:]] == [Severity.INFO, Severity.INFO, Severity.WARNING]
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval: 3.0)
    assert check("processors", quiet(tmp_path))[-1].severity is Severity.INFO


def test_an_engine_that_was_named_and_is_broken_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def probe(self) -> EngineReport:
            return EngineReport("e", "llama_server", problem="libcuda.so.1 is missing.")

    monkeypatch.setattr(engines, "make_engine", lambda name, ref: Broken())
    found = check("engines", replace(quiet(tmp_path), engines=("build/bin",)))
    assert [one.severity for one in found] == [Severity.ERROR, Severity.WARNING]
    assert found[0].evidence == "build/bin cannot be used: libcuda.so.1 is missing."


def test_a_cache_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path))
    monkeypatch.setattr(models_cache.shutil, "disk_usage", lambda path: Usage(9, 8, 2**30))
    assert severity(check("models_cache", quiet(tmp_path))) is Severity.WARNING
    monkeypatch.setattr(models_cache.shutil, "disk_usage", lambda path: Usage(9, 8, 2**40))
    assert severity(check("models_cache", quiet(tmp_path))) is Severity.OK


def test_the_disk_is_measured_and_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path))
    (found,) = check("disk_speed", quiet(tmp_path))
    assert "MiB/s" in found.evidence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_looked_at_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path))
    (found,) = check("disk_speed", quiet(tmp_path))
    assert (found.severity, "could not be looked at" in found.evidence) == (Severity.WARNING, True)


def test_little_shared_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dev/shm").mkdir(parents=True)
    monkeypatch.setattr(ray_ready.shutil, "disk_usage", lambda path: Usage(64 * 2**20, 0, 0))
    found = check("ray_ready", quiet(tmp_path, RAY_ADDRESS="10.0.0.1:6379"))
    assert "joins the cluster at 10.0.0.1:6379" in found[0].evidence
    assert found[1].evidence == "/dev/shm has 64 MiB."


def test_a_missing_helper_costs_its_feature_only(tmp_path: Path) -> None:
    found = check("helpers", quiet(tmp_path, PATH=str(tmp_path)))
    assert {one.severity for one in found} == {Severity.INFO}


def test_every_check_has_a_test_here() -> None:
    tested = {"cards", "card_users", "disk_speed", "engine_config", "engines", "helpers"}
    tested |= {"models_cache", "processors", "ray_ready"}
    assert {one.name for one in all_checks()} == tested
