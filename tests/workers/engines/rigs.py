"""Rigs for tests: this machine's CPU, and a GPU rig that is not here."""

from __future__ import annotations

import os

from workers.contract.reports import Card, RigKind, RigReport

CPU = RigReport(
    name="cpu",
    kind=RigKind.CPU,
    host="here",
    cpu_model="any",
    cores=os.cpu_count() or 1,
    threads=min(os.cpu_count() or 1, 4),
    memory_mib=8192,
    os="any",
)

GPU = RigReport(
    name="rtx5090",
    kind=RigKind.CUDA,
    host="elsewhere",
    cpu_model="any",
    cores=16,
    threads=8,
    memory_mib=65536,
    os="any",
    cards=(
        Card(0, "NVIDIA GeForce RTX 5090", "GPU-aaaa", 32607),
        Card(1, "NVIDIA GeForce RTX 4080", "GPU-bbbb", 16376),
    ),
)
