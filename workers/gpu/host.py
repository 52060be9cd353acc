"""What this process may use of the host's CPU and memory: less than there is, in a container."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from pathlib import Path

import psutil

_MIB = 1024 * 1024
_ROOT = Path("/")


def cpu_model(root: Path = _ROOT) -> str:
    """The CPU's name: from /proc/cpuinfo on Linux, else what the platform says."""
    try:
        lines = (root / "proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for name in ("model name", "Model", "Hardware"):  # x86, then ARM boards
        for line in lines:
            field, _, value = line.partition(":")
            if field.strip() == name and value.strip():
                return " ".join(value.split())
    return platform.processor() or platform.machine() or "unknown CPU"


def physical_cores() -> int:
    """Cores of the host, hyper-threads not counted."""
    return psutil.cpu_count(logical=False) or psutil.cpu_count() or 1


def usable_threads(root: Path = _ROOT) -> int:
    """How many threads an engine should use: one per physical core this process may run on.

    Hyper-threads are not counted, since two on one core slow each other's matrix products
    down. A CPU quota (cgroup) counts as that many cores: more threads would be stopped in turn,
    each waiting for the others at a barrier.
    """
    cores = _cores_of(_affinity(), root)
    quota = cpu_quota(root)
    return cores if quota is None else max(1, min(cores, int(quota)))


def memory_mib(root: Path = _ROOT) -> int:
    """Memory this process may fill, MiB: the host's, or a smaller limit of its cgroup."""
    total = int(psutil.virtual_memory().total)
    limits = [
        int(text)
        for name in ("memory.max", "memory.limit_in_bytes")
        for text in _cgroup_values(root, "memory", name)
        if text.isdigit()
    ]
    return min([total, *(limit for limit in limits if limit > 0)]) // _MIB


def cpu_quota(root: Path = _ROOT) -> float | None:
    """CPUs' worth of time per period, from cgroup v2 or v1; None where there is no limit."""
    quotas: list[float] = []
    for text in _cgroup_values(root, "cpu", "cpu.max"):
        quota, _, period = text.partition(" ")
        if quota.isdigit() and period.isdigit():
            quotas.append(int(quota) / int(period))
    periods = list(_cgroup_values(root, "cpu", "cpu.cfs_period_us"))
    for quota, period in zip(
        _cgroup_values(root, "cpu", "cpu.cfs_quota_us"), periods, strict=False
    ):
        if quota.isdigit() and period.isdigit():  # -1 means no limit
            quotas.append(int(quota) / int(period))
    return min(quotas, default=None)


def _affinity() -> frozenset[int]:
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(psutil.cpu_count() or 1))


def _cores_of(cpus: frozenset[int], root: Path) -> int:
    """Distinct physical cores among logical CPUs; where the kernel does not tell, the host's."""
    cores: set[tuple[str, str]] = set()
    for cpu in cpus:
        topology = root / f"sys/devices/system/cpu/cpu{cpu}/topology"
        try:
            package = (topology / "physical_package_id").read_text().strip()
            core = (topology / "core_id").read_text().strip()
        except OSError:
            return max(1, min(len(cpus), physical_cores()))
        cores.add((package, core))
    return max(1, len(cores))


def _cgroup_values(root: Path, controller: str, name: str) -> Iterator[str]:
    """A control file's text in our cgroup and each of its parents: every one of them binds.

    Inside a container the path may be that of the host while our own group is the mount's root;
    so the root is always among those looked at.
    """
    base = root / "sys/fs/cgroup"
    for mount, path in _groups(root, controller):
        here = Path(path.strip("/"))
        for part in (here, *here.parents):
            try:
                yield (base / mount / part / name).read_text().strip()
            except OSError:
                continue


def _groups(root: Path, controller: str) -> Iterator[tuple[str, str]]:
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            yield "", path  # v2: one tree
        elif controller in controllers.split(","):
            yield from ((mount, path) for mount in {controllers, controller})
