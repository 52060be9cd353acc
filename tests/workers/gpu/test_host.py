"""What a process may use of its host, from files as kernels and containers make them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from workers.gpu import host
from workers.gpu.host import cpu_model, cpu_quota, memory_mib, usable_threads

EPYC = "processor\t: 0\nmodel name\t: AMD  EPYC 9654\nflags\t: fpu\n"
TREE_V2 = {"proc/self/cgroup": "0::/user.slice/job\n"}
TREE_V1 = {"proc/self/cgroup": "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n"}


def tree(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def cores(*of_cpu: int) -> dict[str, str]:
    """A topology: the physical core of each logical CPU."""
    base = "sys/devices/system/cpu/cpu{}/topology/"
    files = {}
    for cpu, core in enumerate(of_cpu):
        files[base.format(cpu) + "core_id"] = f"{core}\n"
        files[base.format(cpu) + "physical_package_id"] = "0\n"
    return files


def allow(monkeypatch: pytest.MonkeyPatch, *cpus: int) -> None:
    monkeypatch.setattr(host, "_affinity", lambda: frozenset(cpus))


def test_the_cpus_name_is_read(tmp_path: Path) -> None:
    assert cpu_model(tree(tmp_path, {"proc/cpuinfo": EPYC})) == "AMD EPYC 9654"


def test_where_there_is_no_cpuinfo_the_platform_is_asked(tmp_path: Path) -> None:
    assert cpu_model(tmp_path)


def test_hyper_threads_of_one_core_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 0, 1, 2, 3)

    assert usable_threads(tree(tmp_path, cores(0, 1, 0, 1))) == 2


def test_cpus_that_this_process_may_not_use_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 0, 1)

    assert usable_threads(tree(tmp_path, cores(0, 1, 2, 3))) == 2


@pytest.mark.parametrize(
    ("quota", "threads"),
    [("250000 100000", 2), ("50000 100000", 1), ("max 100000", 4), ("900000 100000", 4)],
)
def test_a_quota_counts_as_that_many_cores(
    quota: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 0, 1, 2, 3)
    files = {**TREE_V2, **cores(0, 1, 2, 3), "sys/fs/cgroup/user.slice/job/cpu.max": quota}

    assert usable_threads(tree(tmp_path, files)) == threads


def test_the_quota_of_any_parent_binds(tmp_path: Path) -> None:
    files = {
        **TREE_V2,
        "sys/fs/cgroup/user.slice/job/cpu.max": "400000 100000",
        "sys/fs/cgroup/user.slice/cpu.max": "150000 100000",
    }

    assert cpu_quota(tree(tmp_path, files)) == 1.5


def test_in_a_container_the_mounts_root_is_our_group(tmp_path: Path) -> None:
    files = {**TREE_V2, "sys/fs/cgroup/cpu.max": "200000 100000"}

    assert cpu_quota(tree(tmp_path, files)) == 2.0


def test_version_one_of_cgroups_is_read(tmp_path: Path) -> None:
    base = "sys/fs/cgroup/cpu,cpuacct/docker/x/"
    files = {
        **TREE_V1,
        base + "cpu.cfs_quota_us": "300000\n",
        base + "cpu.cfs_period_us": "100000\n",
    }

    assert cpu_quota(tree(tmp_path, files)) == 3.0


def test_version_ones_minus_one_is_no_limit(tmp_path: Path) -> None:
    base = "sys/fs/cgroup/cpu/docker/x/"
    files = {**TREE_V1, base + "cpu.cfs_quota_us": "-1\n", base + "cpu.cfs_period_us": "100000\n"}

    assert cpu_quota(tree(tmp_path, files)) is None


@pytest.mark.parametrize(
    ("base", "groups"),
    [
        ("sys/fs/cgroup/user.slice/job/memory.max", TREE_V2),
        ("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", TREE_V1),
    ],
)
def test_a_limit_of_memory_binds(base: str, groups: dict[str, str], tmp_path: Path) -> None:
    assert memory_mib(tree(tmp_path, {**groups, base: str(512 * 1024 * 1024)})) == 512


@pytest.mark.parametrize("limit", ["max", "9223372036854771712"])
def test_no_limit_leaves_the_hosts_memory(limit: str, tmp_path: Path) -> None:
    files = {**TREE_V2, "sys/fs/cgroup/user.slice/job/memory.max": limit}

    assert memory_mib(tree(tmp_path, files)) == memory_mib(tmp_path / "empty")


def test_this_host_has_a_thread_and_some_memory() -> None:
    assert usable_threads() >= 1
    assert memory_mib() > 0
