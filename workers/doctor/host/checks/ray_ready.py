"""ray_ready: whether rigs can run as Ray actors."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Iterator

from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.host.base import Host

_SHM_MIB = 1024  # below this Ray keeps objects on the disk and says so at every start


class RayReady:
    """Catches a missing Ray, and a container whose shared memory is too small for it."""

    name = "ray_ready"
    looks_at = "Ray's version, RAY_ADDRESS, and shared memory"

    def check(self, host: Host) -> Iterator[Finding]:
        """Nothing is started."""
        try:
            version = importlib.metadata.version("ray")
        except importlib.metadata.PackageNotFoundError:
            yield self._finding(
                Severity.WARNING, "Ray is not installed.", "Use --pool inline, or install it."
            )
            return
        address = host.environment.get("RAY_ADDRESS")
        where = f"joins the cluster at {address}" if address else "starts on this machine"
        yield self._finding(Severity.OK, f"Ray {version}; a sweep {where}.")
        shared = host.root / "dev/shm"
        if shared.is_dir():
            size = shutil.disk_usage(shared).total // 2**20
            if size < _SHM_MIB:
                yield self._finding(
                    Severity.INFO,
                    f"/dev/shm has {size} MiB.",
                    "Start the container with --shm-size=2g, or use --pool inline.",
                )

    def _finding(self, severity: Severity, evidence: str, advice: str = "") -> Finding:
        return Finding(self.name, severity, Confidence.HIGH, evidence, advice)


CHECK = RayReady()
