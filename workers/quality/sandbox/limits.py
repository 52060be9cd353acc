"""What a generated program may use before it is ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, MiB and counts. The kernel enforces some, `watch` the rest, and some are both.

    `wall_s` is for all of it, `cpu_s` for each process. `memory_mib` is what all processes hold
    together, `address_mib` the address space of each (None: not bounded, which browsers need).
    `processes` counts threads too where the kernel counts. `file_mib` is the largest file,
    `disk_mib` all files together.
    """

    wall_s: float = 40.0
    cpu_s: int = 30
    memory_mib: int = 512
    address_mib: int | None = 512
    processes: int = 32
    open_files: int = 64
    file_mib: int = 16
    disk_mib: int = 64


PROGRAM = Limits()
BROWSER = Limits(
    wall_s=75.0,
    cpu_s=60,
    memory_mib=1536,
    address_mib=None,
    processes=512,
    open_files=4096,
    file_mib=64,
    disk_mib=192,
)
