"""processors: what this process may use of the CPU and memory, and who else uses it."""

from __future__ import annotations

from collections.abc import Iterator

import psutil

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host
from workers.gpu.host import cpu_model, cpu_quota, memory_mib, physical_cores, usable_threads

_LOOK_S = 1.0
_BUSY_PERCENT = 10.0  # a second process on two cores took an engine from 74 to 2 tok/s


class Processors:
    """Catches a cgroup that gives less than the machine has, and a machine that is not quiet."""

    name = "processors"
    looks_at = "CPU, cgroup limits on CPU and memory, affinity, and what else runs"

    def check(self, host: Host) -> Iterator[Finding]:
        """One finding for what there is, one for each limit, one for a neighbour."""
        threads, memory = usable_threads(host.root), memory_mib(host.root)
        cores, installed = physical_cores(), psutil.virtual_memory().total // 2**20
        yield self._finding(
            Severity.OK,
            f"{cpu_model(host.root)}: {threads} of {cores} cores and {memory:,} MiB may be used.",
        )
        quota = cpu_quota(host.root)
        if quota is not None and quota < cores:
            yield self._finding(
                Severity.INFO,
                f"a cgroup gives {quota:g} CPUs of the {cores} cores.",
                "Give the container more CPUs, unless that is how it will serve.",
            )
        if memory < installed:
            yield self._finding(
                Severity.INFO,
                f"a cgroup gives {memory:,} MiB of the machine's {installed:,} MiB.",
                "Give the container more memory where models do not fit.",
            )
        share = psutil.cpu_percent(_LOOK_S)
        if share > _BUSY_PERCENT:
            yield self._finding(
                Severity.WARNING,
                f"other programs take {share:.0f} % of the processors now.",
                "Stop them while a sweep runs: every measurement beside them is too slow.",
            )

    def _finding(self, severity: Severity, evidence: str, advice: str = "") -> Finding:
        return Finding(self.name, severity, Confidence.HIGH, evidence, advice)


CHECK = Processors()
